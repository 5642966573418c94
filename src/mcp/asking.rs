//! Asking the user about a call: what it is about is read and shown, and read again once the user agreed.

use super::consent::{self, AskedCall, ConsentStep};
use super::decision_subject::{SubjectReader, SubjectText};
use super::replies::tool_result;
use super::tool_calls::ToolCall;
use super::{Arrival, PlanToolServer};
use gatewalk_core::error::Result;
use serde_json::Value;
use std::io::Write;

impl<W: Write> PlanToolServer<W> {
    /// Asks the user through the client, once it is known what to show.
    pub(super) fn ask(&mut self, call: ToolCall, reader: Option<SubjectReader>) -> Result<()> {
        self.consents += 1;
        let asked = AskedCall::new(self.consents, call, reader);
        match asked.to_read() {
            Some(reader) => self.read_subject(asked.number, reader),
            None => self.client.send(&asked.question())?,
        }
        self.asked.push(asked);
        Ok(())
    }

    /// Reads what a call is about, on a thread of its own.
    fn read_subject(&self, number: u64, reader: SubjectReader) {
        let (program, cwd) = (self.place.program.clone(), self.place.cwd.clone());
        let arrived = self.arrived.clone();
        std::thread::spawn(move || {
            // The server has ended where nobody hears it.
            drop(arrived.send(Arrival::Read(number, reader.read(&program, &cwd))));
        });
    }

    /// Takes what a call is about, unless nobody waits for that any more.
    pub(super) fn take_subject(&mut self, number: u64, found: Option<SubjectText>) -> Result<()> {
        let mut all = self.asked.iter();
        let Some(place) = all.position(|asked| asked.number == number) else {
            return Ok(());
        };
        match self.asked[place].learn(found) {
            ConsentStep::Ask => self.client.send(&self.asked[place].question()),
            ConsentStep::Run => {
                let asked = self.asked.remove(place);
                self.queue(asked.call)
            }
            ConsentStep::Refuse => {
                let asked = self.asked.remove(place);
                let why = "refused: what the user agreed to changed meanwhile; call again";
                self.client.reply(&asked.call.id, &tool_result(why, true))
            }
        }
    }

    /// Takes an answer of the user's.
    pub(super) fn take_answer(&mut self, message: &Value) -> Result<()> {
        let answers = |asked: &AskedCall| asked.is_answered_by(message);
        let Some(place) = self.asked.iter().position(answers) else {
            return Ok(());
        };
        if !consent::is_given(message) {
            let asked = self.asked.remove(place);
            let why = match message["error"].is_null() {
                true => "the user did not agree",
                false => "the client could not ask the user",
            };
            return self.refuse_asked(&asked, why);
        }
        self.asked[place].agree();
        match self.asked[place].to_read() {
            Some(reader) => self.read_subject(self.asked[place].number, reader),
            None => {
                let asked = self.asked.remove(place);
                self.queue(asked.call)?;
            }
        }
        Ok(())
    }

    fn refuse_asked(&mut self, asked: &AskedCall, why: &str) -> Result<()> {
        let refusal = tool_result(&format!("refused: {why}"), true);
        self.client.reply(&asked.call.id, &refusal)
    }

    /// Refuses what nobody can be asked about any more.
    pub(super) fn refuse_unasked(&mut self) -> Result<()> {
        let all = std::mem::take(&mut self.asked);
        let (agreed, unasked): (Vec<_>, Vec<_>) = all.into_iter().partition(AskedCall::is_agreed);
        self.asked = agreed;
        unasked
            .iter()
            .try_for_each(|asked| self.refuse_asked(asked, "the user did not agree"))
    }

    /// Takes back the question about the request of an id, if there is one.
    pub(super) fn withdraw(&mut self, id: &Value) -> Result<bool> {
        let mut all = self.asked.iter();
        let Some(place) = all.position(|asked| asked.call.id == *id) else {
            return Ok(false);
        };
        let asked = self.asked.remove(place);
        if let Some(withdrawal) = asked.withdrawal() {
            self.client.send(&withdrawal)?;
        }
        Ok(true)
    }
}
