//! What `init` and `new` write. The files themselves lie in `scaffold/`, `templates/` and `rules/`
//! at the top of the repository and are embedded from there.
