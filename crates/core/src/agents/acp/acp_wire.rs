//! Messages of the Agent Client Protocol, as they are read.

use crate::agents::lenient_json::Field;
use crate::agents::nested_objects::Nested;
use serde::Deserialize;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Envelope<'a> {
    #[serde(borrow)]
    pub(super) id: Field<'a>,
    pub(super) method: Field<'a>,
    pub(super) params: Nested<Params<'a>>,
    pub(super) result: Field<'a>,
    pub(super) error: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Params<'a> {
    #[serde(borrow)]
    pub(super) update: Nested<Update<'a>>,
    #[serde(rename = "toolCall")]
    pub(super) tool_call: Nested<Update<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Update<'a> {
    #[serde(borrow, rename = "sessionUpdate")]
    pub(super) kind: Field<'a>,
    pub(super) content: Nested<Piece<'a>>,
    #[serde(rename = "toolCallId")]
    pub(super) call: Field<'a>,
    #[serde(rename = "kind")]
    pub(super) tool: Field<'a>,
    pub(super) title: Field<'a>,
    pub(super) status: Field<'a>,
    pub(super) locations: Nested<Piece<'a>>,
    #[serde(rename = "rawInput")]
    pub(super) input: Field<'a>,
    pub(super) cost: Nested<Piece<'a>>,
    #[serde(rename = "_meta")]
    pub(super) meta: Nested<AcpResponse<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct AcpResponse<'a> {
    #[serde(borrow, rename = "agentInfo")]
    pub(super) agent: Field<'a>,
    pub(super) version: Field<'a>,
    #[serde(rename = "sessionId")]
    pub(super) session: Field<'a>,
    #[serde(rename = "stopReason")]
    pub(super) stop: Field<'a>,
    pub(super) usage: Field<'a>,
    pub(super) quota: Field<'a>,
    pub(super) token_count: Field<'a>,
    #[serde(rename = "_meta")]
    pub(super) meta: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Piece<'a> {
    #[serde(borrow)]
    pub(super) text: Field<'a>,
    pub(super) path: Field<'a>,
    pub(super) amount: Field<'a>,
    pub(super) currency: Field<'a>,
}

// The error of a response: what is below it is the program's own affair, and alike only in part.
