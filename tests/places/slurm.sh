#!/usr/bin/env bash
# A one-node Slurm on the loopback, all its state in a directory of its own. Usage, as root: slurm.sh COMMAND…
# The command sees SLURM_CONF. Everything is gone at the end. Ends with 77 where this machine cannot do it.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "slurm.sh: only root can start Slurm's daemons"; exit 77; }
for program in slurmctld slurmd munged srun; do
  command -v "$program" >/dev/null || { echo "slurm.sh: $program is not installed"; exit 77; }
done
dir=$(mktemp -d) host=$(hostname -s)
chmod 755 "$dir"
gone() {
  scancel --user=root 2>/dev/null || true
  local file
  for file in slurmd.pid slurmctld.pid munge/pid; do
    [ ! -f "$dir/$file" ] || kill "$(cat "$dir/$file")" 2>/dev/null || true
  done
  rm -rf "$dir" 2>/dev/null || true
}
trap gone EXIT
mkdir -p "$dir"/{state,spool,munge,log}
dd if=/dev/urandom of="$dir/munge/key" bs=1 count=1024 status=none
chmod 600 "$dir/munge/key"
munged --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munge/pid" \
  --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" 2>"$dir/munge/warnings" ||
  { echo "slurm.sh: munge does not start here"; cat "$dir/munge/warnings"; exit 77; }
cat >"$dir/slurm.conf" <<C
ClusterName=gatewalk
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=46827
SlurmdPort=46828
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CryptoType=crypto/munge
CredType=cred/munge
ProctrackType=${PROCTRACK:-proctrack/cgroup}
TaskPlugin=task/none
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/log/slurmctld
SlurmdLogFile=$dir/log/slurmd
KillWait=5
MinJobAge=60
SlurmdTimeout=30
InactiveLimit=0
CommunicationParameters=NoCtldInAddrAny
NodeName=$host NodeAddr=127.0.0.1 CPUs=8 RealMemory=8000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
C
version=v1
[ ! -f /sys/fs/cgroup/cgroup.controllers ] || version=v2
printf 'CgroupMountpoint=/sys/fs/cgroup\nCgroupPlugin=cgroup/%s\nConstrainCores=no\nConstrainRAMSpace=no\n' $version >"$dir/cgroup.conf"
export SLURM_CONF="$dir/slurm.conf"
slurmctld -i -f "$SLURM_CONF" && slurmd -f "$SLURM_CONF" -N "$host" ||
  { echo "slurm.sh: Slurm's daemons do not start here"; exit 77; }
tries=0
until [ "$(sinfo -h -o %t 2>/dev/null)" = idle ]; do
  tries=$((tries + 1))
  [ $tries -lt 150 ] || { echo "slurm.sh: the node does not come up"; sinfo || true; tail -n 5 "$dir/log/slurmd" || true; exit 77; }
  sleep 0.2
done
"$@"
