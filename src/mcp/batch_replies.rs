//! Requests that came in one message are answered in one: how the revision 2025-03-26 has it.

use serde_json::Value;

/// The batches that are not answered in full.
#[derive(Debug, Default)]
pub(super) struct BatchReplies(Vec<OpenBatch>);

#[derive(Debug)]
struct OpenBatch {
    /// The requests without an answer.
    open: Vec<Value>,
    replies: Vec<Value>,
}

impl BatchReplies {
    /// Opens a batch for requests with these ids; without any there is nothing to wait for.
    pub(super) fn expect(&mut self, open: Vec<Value>) {
        if !open.is_empty() {
            self.0.push(OpenBatch {
                open,
                replies: vec![],
            });
        }
    }

    /// Takes the reply to a request; returns what is to be sent now.
    pub(super) fn take(&mut self, id: &Value, reply: Value) -> Option<Value> {
        match self.batch_of(id) {
            None => Some(reply),
            Some(batch) => {
                self.0[batch].replies.push(reply);
                self.complete(batch)
            }
        }
    }

    /// Gives up the reply to a request; returns what is to be sent now.
    pub(super) fn give_up(&mut self, id: &Value) -> Option<Value> {
        let batch = self.batch_of(id)?;
        self.complete(batch)
    }

    /// Finds the batch that a request belongs to, and takes the request off it.
    fn batch_of(&mut self, id: &Value) -> Option<usize> {
        self.0.iter_mut().enumerate().find_map(|(batch, open)| {
            let place = open.open.iter().position(|one| one == id)?;
            open.open.swap_remove(place);
            Some(batch)
        })
    }

    fn complete(&mut self, batch: usize) -> Option<Value> {
        if !self.0[batch].open.is_empty() {
            return None;
        }
        let done = self.0.swap_remove(batch);
        (!done.replies.is_empty()).then_some(Value::Array(done.replies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_batch_is_answered_when_its_last_request_is() {
        let mut replies = BatchReplies::default();
        replies.expect(vec![json!(1), json!("a"), json!(3)]);
        replies.expect(vec![json!(4)]);
        replies.expect(vec![]);
        let alone = json!({"id": 9});
        assert_eq!(replies.take(&json!(9), alone.clone()), Some(alone));
        assert_eq!(replies.take(&json!(1), json!("one")), None);
        assert_eq!(
            replies.take(&json!(4), json!("four")),
            Some(json!(["four"]))
        );
        assert_eq!(replies.take(&json!("a"), json!("two")), None);
        assert_eq!(replies.give_up(&json!(3)), Some(json!(["one", "two"])));
        // Nothing of it is left.
        assert_eq!(replies.take(&json!(1), json!("new")), Some(json!("new")));
        replies.expect(vec![json!(5)]);
        assert_eq!(replies.give_up(&json!(5)), None);
        assert_eq!(replies.give_up(&json!(5)), None);
    }
}
