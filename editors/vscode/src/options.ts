// What the client is told; apart from the editor, so that it can be tried without one.

import type { LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

/** Standard input and output, which is what a server without a transport gets. */
export function serverOptions(path: string): ServerOptions {
  return { command: path, args: ["lsp"] };
}

/** The files of both layouts of the state directory, Markdown and YAML. */
export function clientOptions(): LanguageClientOptions {
  const pattern = "**/{.gatewalk,.specfuse}/**/*.{md,yml}";
  return { documentSelector: [{ scheme: "file", pattern }] };
}
