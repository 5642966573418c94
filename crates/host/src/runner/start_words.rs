//! What programs that start things elsewhere say, in lower case, where only the user can mend it.

/// Words by which `ssh` and engines say what no wait changes, and what does.
pub(super) const LASTING: &[(&str, &str)] = &[
    (
        "host identification has changed",
        "the host shows another key than the one you know: ask whoever runs it whether that is right, then `ssh-keygen -R` its name and connect once by hand",
    ),
    (
        "host key verification failed",
        "connect once by hand and accept the host's key: nobody is asked here",
    ),
    (
        "permission denied (",
        "let the host accept a key that asks nothing (`ssh-add`, `-i`, `User`): nobody is asked for a password here",
    ),
    (
        "is not a tty",
        "start the command without a terminal (no `-t` or `--tty`)",
    ),
    (
        "unrecognized subcommand 'far-end'",
        "gatewalk there is older than runners are: install the same version as here",
    ),
    (
        "invalid account",
        "name an account and a partition that you may use",
    ),
    (
        "invalid partition",
        "name an account and a partition that you may use",
    ),
    ("invalid qos", "name a quality of service that you may use"),
    (
        "access/permission denied",
        "name an account and a partition that you may use",
    ),
    (
        "not permitted to use this partition",
        "name an account and a partition that you may use",
    ),
    ("invalid node name", "name nodes that `sinfo` shows"),
    (
        "invalid feature specification",
        "name a feature that `sinfo -o %f` shows",
    ),
    (
        "invalid license specification",
        "name a license that `scontrol show licenses` shows",
    ),
    (
        "reservation is invalid",
        "name a reservation that is yours and has begun",
    ),
    ("invalid --", "mend that option in `command`"),
    (
        "time limit is invalid",
        "ask for less time than the partition grants: `minutes` in the unit's `resources`, or another partition",
    ),
    (
        "partition configuration not available",
        "ask for less than the partition grants, or name another partition",
    ),
    (
        "node configuration is not available",
        "no node has what the command and the unit's `resources` ask for: ask for less",
    ),
    (
        "can not be satisfied",
        "no node has what the command and the unit's `resources` ask for: ask for less",
    ),
    (
        "generic resource (gres) specification",
        "leave `--gres` out where there are no such devices",
    ),
    ("image not known", "pull or build the image first"),
    ("no such image", "pull or build the image first"),
    ("manifest unknown", "pull or build the image first"),
    ("pull access denied", "pull or build the image first"),
    ("no such container", "start the container first"),
    ("cannot find container", "start the container first"),
    ("instance not found", "start the container first"),
    ("instance is not running", "start the container first"),
    ("is not running", "start the container first"),
    (
        "no distribution with the supplied name",
        "name a distribution that `wsl --list` shows",
    ),
    (
        "error from server (notfound)",
        "name a pod that runs, and its namespace",
    ),
    (
        "error from server (forbidden)",
        "let your account do that in the cluster",
    ),
    ("(unauthorized)", "log in to the cluster first"),
    (
        "container not found (",
        "name a container of the pod (`-c`)",
    ),
    (
        "exec [pod] [command] is not supported",
        "end `command` with `--`: `[kubectl, exec, -i, pod, --]`",
    ),
    (
        "connect to the docker daemon socket",
        "let your user reach the daemon (the group `docker`), or take podman",
    ),
    (
        "failed to connect to bus",
        "no systemd of that user is there: leave `systemd-run` out, or let it live on (`loginctl enable-linger`) and set XDG_RUNTIME_DIR",
    ),
    (
        "user scope bus",
        "no systemd of that user is there: leave `systemd-run` out, or let it live on (`loginctl enable-linger`) and set XDG_RUNTIME_DIR",
    ),
    (
        "sudo: a password is required",
        "let sudo ask nothing for this command (`NOPASSWD` in sudoers): nobody is there to answer",
    ),
    (
        "sudo: a terminal is required",
        "let sudo ask nothing for this command (`NOPASSWD` in sudoers): nobody is there to answer",
    ),
    (
        "must have a tty",
        "take `requiretty` out of sudoers for this command",
    ),
    (
        "not in the sudoers file",
        "let sudoers allow your user this command",
    ),
    (
        "is not allowed to execute",
        "let sudoers allow your user this command",
    ),
    ("unknown user", "name a user that is there"),
    (
        "does not exist or the user entry",
        "name a user that is there",
    ),
];
