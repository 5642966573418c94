use super::*;

#[test]
fn setting_a_plain_scalar_keeps_the_comment_behind_it() {
    let text = "---\nid: X\nstatus: pending  # why\n---\nbody\n";
    let want = "---\nid: X\nstatus: done  # why\n---\nbody\n";
    assert_eq!(set_scalar(text, "status", "done"), Ok(want.to_owned()));
}
