#!/usr/bin/env bash
# Two hosts on one machine: a network namespace and an sshd of its own for each. Usage, as root: namespaces.sh COMMAND…
# The command sees GATEWALK_SSH_CONFIG, a client configuration with the hosts `one` and `two`, and GATEWALK_SSH_CUT, a
# command that cuts a host's network or joins it again: `cut one`, `join one`. Everything is gone at the end. Ends with 77
# where this machine cannot do it.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "namespaces.sh: only root can make network namespaces"; exit 77; }
for program in ip /usr/sbin/sshd ssh-keygen; do
  command -v "$program" >/dev/null || { echo "namespaces.sh: $program is not installed"; exit 77; }
done
dir=$(mktemp -d) tag=gw$$
gone() {
  local host
  for host in one two; do
    [ ! -f "$dir/$host.pid" ] || kill "$(cat "$dir/$host.pid")" 2>/dev/null || true
    ip netns del "$tag-$host" 2>/dev/null || true
  done
  rm -rf "$dir"
}
trap gone EXIT
mkdir -p /run/sshd
cd "$dir"
ssh-keygen -q -t ed25519 -N '' -f host
ssh-keygen -q -t ed25519 -N '' -f id
cp id.pub authorized_keys

net=$((100 + $$ % 100)) at=0
for host in one two; do
  at=$((at + 1))
  here=10.$net.$at.1 there=10.$net.$at.2
  ip netns add "$tag-$host" || { echo "namespaces.sh: no network namespace can be made here"; exit 77; }
  ip link add "gwh$at-$$" type veth peer name "gwf$at-$$" || { echo "namespaces.sh: no veth pair can be made here"; exit 77; }
  ip link set "gwf$at-$$" netns "$tag-$host"
  ip addr add "$here/24" dev "gwh$at-$$"
  ip link set "gwh$at-$$" up
  ip -n "$tag-$host" addr add "$there/24" dev "gwf$at-$$"
  ip -n "$tag-$host" link set "gwf$at-$$" up
  ip -n "$tag-$host" link set lo up
  cat >"sshd_$host" <<C
Port 22022
ListenAddress $there
HostKey $dir/host
PidFile $dir/$host.pid
AuthorizedKeysFile $dir/authorized_keys
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
MaxStartups 100
MaxSessions 100
C
  ip netns exec "$tag-$host" /usr/sbin/sshd -f "$dir/sshd_$host" -E "$dir/$host.log"
  printf '[%s]:22022 %s\n' "$there" "$(cut -d' ' -f1,2 host.pub)" >>known_hosts
  cat >>config <<C
Host $host
  HostName $there
  Port 22022
  User root
  IdentityFile $dir/id
  IdentitiesOnly yes
  UserKnownHostsFile $dir/known_hosts
  StrictHostKeyChecking yes
  BatchMode yes
  ConnectTimeout 5
C
  echo "gwh$at-$$" >"link_$host"
done
cat >cut <<C
#!/bin/sh
case \$1 in cut) state=down ;; join) state=up ;; esac
exec ip link set "\$(cat "$dir/link_\$2")" "\$state"
C
chmod +x cut
for host in one two; do
  tries=0
  until ssh -F config "$host" true 2>>client.log; do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || { echo "namespaces.sh: sshd in $host does not answer"; cat "$host.log" client.log; exit 77; }
    sleep 0.1
  done
done
cd - >/dev/null
GATEWALK_SSH_CONFIG="$dir/config" GATEWALK_SSH_CUT="$dir/cut" "$@"
