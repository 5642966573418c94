//! Places where tests run sessions: a pipe on this machine, and a real sshd on the loopback.

use super::world::{PROGRAM, World};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How long either side may be silent in tests.
pub(crate) const LEASE_SECONDS: u64 = 4;

/// Defines runners in a world's own configuration: each with a home, and so a machine, of its own.
pub(crate) struct Places<'w> {
    world: &'w World,
    config: String,
}

impl<'w> Places<'w> {
    pub(crate) fn of(world: &'w World) -> Places<'w> {
        let config = format!("sandbox_writable: {}\nrunners:\n", world.root.display());
        Places { world, config }
    }

    /// Returns the home that a runner's sessions have.
    pub(crate) fn home(&self, name: &str) -> PathBuf {
        let home = self.world.root.join(format!("far-{name}"));
        let settings = home.join(".config/gatewalk");
        std::fs::create_dir_all(&settings).unwrap();
        let writable = format!("sandbox_writable: {}\n", self.world.root.display());
        std::fs::write(settings.join("config.yml"), writable).unwrap();
        home
    }

    /// Adds a runner behind a pipe of this machine.
    pub(crate) fn pipe(self, name: &str, more: &str) -> Self {
        let home = self.home(name);
        let command = format!("[sh, -c, \"HOME={} {{far}}; exit $?\"]", home.display());
        self.runner(name, &command, more)
    }

    /// Adds a runner behind ssh.
    pub(crate) fn ssh(self, name: &str, sshd: &Sshd, more: &str) -> Self {
        let (home, config) = (self.home(name), sshd.dir.join("config"));
        let command = format!(
            "[ssh, -F, {}, slot, \"HOME={} {{far}}\"]",
            config.display(),
            home.display()
        );
        self.runner(name, &command, more)
    }

    /// Adds a runner with this command.
    pub(crate) fn runner(mut self, name: &str, command: &str, more: &str) -> Self {
        let lines = format!(
            "  {name}:\n    command: {command}\n    program: {PROGRAM}\n    lease: {LEASE_SECONDS}s\n{more}"
        );
        self.config.push_str(&lines);
        self
    }

    /// Writes it.
    pub(crate) fn define(self) {
        let path = self.world.root.join("home/.config/gatewalk/config.yml");
        std::fs::write(path, self.config).unwrap();
    }
}

/// A throwaway sshd for the user who runs the tests.
pub(crate) struct Sshd {
    pub(crate) dir: PathBuf,
    _own: tempfile::TempDir,
}

impl Sshd {
    /// Starts one; nothing where this machine has none.
    pub(crate) fn start() -> Option<Sshd> {
        let sshd = Path::new("/usr/sbin/sshd");
        let client = Command::new("ssh").arg("-V").output();
        if !sshd.exists() || client.is_err() {
            println!("SKIPPED: there is no sshd on this machine; install openssh-server");
            return None;
        }
        let own = tempfile::tempdir().unwrap();
        let dir = own.path().canonicalize().unwrap();
        for key in ["host", "id"] {
            let mut keygen = Command::new("ssh-keygen");
            keygen.args(["-q", "-t", "ed25519", "-N", "", "-f", key]);
            assert!(keygen.current_dir(&dir).status().unwrap().success());
        }
        std::fs::copy(dir.join("id.pub"), dir.join("authorized_keys")).unwrap();
        if rustix::process::geteuid().is_root() {
            std::fs::create_dir_all("/run/sshd").unwrap();
        }
        let sshd = Sshd { dir, _own: own };
        for _ in 0..5 {
            if sshd.listen(free_port()) {
                return Some(sshd);
            }
        }
        println!("SKIPPED: sshd does not start on this machine");
        None
    }

    fn listen(&self, port: u16) -> bool {
        let dir = self.dir.display();
        let server = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {dir}/host\nPidFile {dir}/sshd.pid\nAuthorizedKeysFile {dir}/authorized_keys\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\nMaxStartups 100\nMaxSessions 100\n"
        );
        std::fs::write(self.dir.join("sshd_config"), server).unwrap();
        let key = std::fs::read_to_string(self.dir.join("host.pub")).unwrap();
        let known = format!("[127.0.0.1]:{port} {key}");
        std::fs::write(self.dir.join("known_hosts"), known).unwrap();
        let client = format!(
            "Host slot\n  HostName 127.0.0.1\n  Port {port}\n  IdentityFile {dir}/id\n  IdentitiesOnly yes\n  UserKnownHostsFile {dir}/known_hosts\n  StrictHostKeyChecking yes\n  BatchMode yes\n  ConnectTimeout 5\n"
        );
        std::fs::write(self.dir.join("config"), client).unwrap();
        let started = Command::new("/usr/sbin/sshd")
            .arg("-f")
            .arg(self.dir.join("sshd_config"))
            .arg("-E")
            .arg(self.dir.join("log"))
            .status();
        started.is_ok_and(|s| s.success()) && (0..50).any(|_| self.answers())
    }

    fn answers(&self) -> bool {
        let config = self.dir.join("config");
        let mut ssh = Command::new("ssh");
        ssh.arg("-F").arg(config).args(["slot", "true"]);
        ssh.output().is_ok_and(|output| output.status.success())
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        let pid = std::fs::read_to_string(self.dir.join("sshd.pid")).unwrap_or_default();
        let pid = pid
            .trim()
            .parse()
            .ok()
            .and_then(rustix::process::Pid::from_raw);
        if let Some(pid) = pid {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
    }
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
