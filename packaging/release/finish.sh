#!/bin/sh
# Completes a release directory: sh finish.sh DIRECTORY ADDRESS. Writes the installer and the Homebrew formula for the archives
# that are there, and SHA256SUMS over everything.
set -eu
[ $# = 2 ] || { echo "usage: sh finish.sh DIRECTORY ADDRESS" >&2; exit 2; }
directory=$1 address=$2
here=$(cd "$(dirname "$0")" && pwd)
version=$(sh "$here/versions.sh")
sum() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

cd "$directory"
archives=$(ls gatewalk-"$version"-*.tar.gz)
{
  sed '/^@CHECKSUMS@$/,$d' "$here/install.sh.in"
  for archive in $archives; do sum "$archive"; done
  sed '1,/^@CHECKSUMS@$/d' "$here/install.sh.in"
} | sed -e "s|@ADDRESS@|$address|" -e "s|@VERSION@|$version|" > install.sh

sum_of() { sum "$1" | cut -d ' ' -f 1; }
block() {
  archive="gatewalk-$version-$2.tar.gz"
  [ -f "$archive" ] || return 0
  printf '    on_%s do\n      url "%s/%s"\n      sha256 "%s"\n    end\n' "$1" "$address" "$archive" "$(sum_of "$archive")"
}
{
  printf 'class Gatewalk < Formula\n  desc "Plain-Markdown gate-cycle driver with a linter"\n  homepage "%s"\n' "${address%/releases/*}"
  printf '  version "%s"\n  license "Apache-2.0"\n\n' "$version"
  printf '  on_macos do\n%s\n  end\n\n' "$(block arm aarch64-apple-darwin; block intel x86_64-apple-darwin)"
  printf '  on_linux do\n%s\n  end\n\n' "$(block arm aarch64-unknown-linux-musl; block intel x86_64-unknown-linux-musl)"
  cat <<'RUBY'
  def install
    bin.install "gatewalk"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/gatewalk"
    zsh_completion.install "share/zsh/site-functions/_gatewalk"
    fish_completion.install "share/fish/vendor_completions.d/gatewalk.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/gatewalk --version")
  end
end
RUBY
} > gatewalk.rb
rm -f SHA256SUMS
# shellcheck disable=SC2046 # names of our own, without spaces
sum $(ls) > SHA256SUMS.new
mv SHA256SUMS.new SHA256SUMS
