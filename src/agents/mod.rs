//! PURE. How each agent is started and understood; one file an agent.
