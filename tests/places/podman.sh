#!/usr/bin/env bash
# Containers of podman on this machine, each made anew for its contact. No registry of images is asked: the image is empty,
# and a container sees this machine's programs, read-only. Usage: podman.sh COMMAND…
# The command sees GATEWALK_PODMAN, a program that runs a command in a container which shares these directories with this
# machine: `… DIRECTORY… -- COMMAND…`. Everything is gone at the end. Ends with 77 where this machine cannot do it.
set -euo pipefail
command -v podman >/dev/null || { echo "podman.sh: podman is not installed"; exit 77; }
dir=$(mktemp -d)
podman=(podman --root "$dir/images" --runroot "$dir/run")
gone() {
  "${podman[@]}" rm --all --force --time 0 >/dev/null 2>&1 || true
  # What podman keeps belongs to users of its own where it does not run as root.
  podman unshare rm -rf "$dir" 2>/dev/null || rm -rf "$dir" 2>/dev/null || true
}
trap gone EXIT
mkdir -p "$dir/empty"/{dev,etc,home,proc,root,run,sys,tmp,usr,var}
for name in bin sbin lib lib64; do
  [ ! -e "/$name" ] || ln -s "usr/$name" "$dir/empty/$name"
done
tar -C "$dir/empty" -cf "$dir/empty.tar" .
"${podman[@]}" import --quiet "$dir/empty.tar" localhost/empty >"$dir/log" 2>&1 ||
  { echo "podman.sh: podman keeps no image here"; cat "$dir/log"; exit 77; }

# As podman is installed; then for a machine inside another: no limits above one's own, and cgroups of the first version.
for options in "" "--cgroup-manager=cgroupfs" "--cgroup-manager=cgroupfs --runtime=runc"; do
  for limits in "" "--ulimit=nofile=1024:1024 --ulimit=nproc=2048:2048"; do
    # shellcheck disable=SC2086
    if [ "$("${podman[@]}" $options run --rm -i --network=host $limits -v /usr:/usr:ro -v /etc:/etc:ro localhost/empty \
      cat <<<"through" 2>>"$dir/log")" = through ]; then
      found="$options|$limits"
      break 2
    fi
  done
done
[ -n "${found:-}" ] || { echo "podman.sh: no container starts here"; tail -n 5 "$dir/log"; exit 77; }
cat >"$dir/box" <<C
#!/bin/sh
shared=
while [ "\$1" != -- ]; do
  shared="\$shared -v \$1:\$1"
  shift
done
shift
exec ${podman[*]} ${found%|*} run --rm -i --log-driver=none --network=host ${found#*|} \\
  -v /usr:/usr:ro -v /etc:/etc:ro \$shared localhost/empty "\$@"
C
chmod +x "$dir/box"
GATEWALK_PODMAN="$dir/box" "$@"
