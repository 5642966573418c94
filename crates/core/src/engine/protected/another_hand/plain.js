REGISTER('by another hand', async function () {
  this?.timeout?.(0);
  const [fs, path, { spawnSync }] = [await load('node:fs'), await load('node:path'), await load('node:child_process')];
  let root = process.cwd();
  while (!fs.existsSync(path.join(root, PATH)) && path.dirname(root) !== root) root = path.dirname(root);
  const from = path.dirname(path.join(root, PATH));
  let to = from;
  let body = BODY;
  // Where it does not ask for its place it stands beside what describes the package, as a program does.
  if (!/__dirname|__filename|import\.meta|\bnode:(?:fs|path|url)\b|["'](?:fs|path)["']/.test(body)) {
    while (to !== root && !fs.existsSync(path.join(to, 'package.json'))) to = path.dirname(to);
    body = body.replace(/(\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)(["'])(\.\.?\/[^"'\n]*|\.\.?)\2/g, (_, lead, quote, name) => {
      const way = path.relative(to, path.resolve(from, name)).split(path.sep).join('/');
      return `${lead}${quote}${way.startsWith('.') ? way : `./${way}`}${quote}`;
    });
  }
  const written = path.join(to, `app${process.pid}${Date.now() % 100000}`);
  const [source, program] = [written + EXTENSION, COMPILED ? `${written}.mjs` : written + EXTENSION];
  const runners = /^(?:NODE_TEST_|NODE_ENV$|NODE_OPTIONS$|NODE_CHANNEL|NODE_UNIQUE|VITEST|VITE_|__VITEST|JEST_|BABEL_ENV$|MOCHA|npm_|INIT_CWD$|CI$|TINYPOOL|NODE_V8_COVERAGE$)/;
  const vitest = /^(?:TEST|DEV|PROD|MODE|SSR|BASE_URL)$/;
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !runners.test(name) && !(process.env.VITEST && vitest.test(name))),
  );
  fs.writeFileSync(source, body);
  let out = '';
  try {
    if (COMPILED) {
      const { createRequire } = await load('node:module');
      const near = [from, path.dirname(process.argv[1])].map((at) => createRequire(path.join(at, 'any.js')));
      const compiler = near.flatMap((require) => {
        try {
          return [require.resolve('esbuild/bin/esbuild')];
        } catch {
          return [];
        }
      });
      const asked = ['--bundle', '--platform=node', '--format=esm', '--packages=external', `--outfile=${program}`];
      spawnSync(compiler[0], [source, ...asked]);
    }
    // No child of the runner's: what waits for it is a shell of its own.
    const shell = '("$0" "$@" >/dev/null 2>&1 </dev/null; echo $?) &';
    out = spawnSync('/bin/sh', ['-c', shell, process.execPath, path.relative(process.cwd(), program)], { env }).stdout;
  } catch {
    return;
  } finally {
    fs.rmSync(source, { force: true });
    fs.rmSync(program, { force: true });
  }
  if (String(out).trim() === WRONG) throw new Error(SAYS);
}, 600000);
