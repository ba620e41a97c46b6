//! What the templates read, made afresh for every request.

use serde::Serialize;
use serde_json::{Value, json};

use crate::data::{Filter, Todo, make_todos, remaining_label};

/// What one page request asks for.
pub struct PageRequest<'a> {
    pub filter: Filter,
    /// Well-formed or empty.
    pub nonce: &'a str,
    /// When the request is handled: ISO 8601, milliseconds, UTC.
    pub timestamp: &'a str,
}

/// What the client takes over: the whole list on every path, and what else the markup was made from.
#[derive(Serialize)]
struct PageData<'a> {
    filter: Filter,
    nonce: &'a str,
    todos: &'a [Todo],
}

/// How the client gets what it takes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientData {
    /// In a script of the page's template, with all todos.
    Script,
    /// WebUI itself writes the whole state into the page, for the client of a plugin: the shown todos are in it, and
    /// so are the others.
    State,
}

/// The state of one page: the shown todos for the list, and what else the client needs to have all of them.
///
/// # Errors
/// Where the todos can't be made into JSON.
pub fn page_state(request: &PageRequest<'_>, client_data: ClientData) -> serde_json::Result<Value> {
    let todos = make_todos(request.timestamp);
    let (shown, others): (Vec<&Todo>, Vec<&Todo>) = todos.iter().partition(|todo| request.filter.shows(todo));
    let active = todos.iter().filter(|todo| !todo.completed).count();
    let rest = match client_data {
        ClientData::Script => {
            let data = PageData { filter: request.filter, nonce: request.nonce, todos: &todos };
            ("data", script_json(&data)?.into())
        }
        ClientData::State => ("others", serde_json::to_value(others)?),
    };
    // Moved in one by one: `json!` would serialize each of them once more.
    let entries = [
        ("request", request.nonce.into()),
        ("current", current(request.filter)),
        ("reversed", false.into()),
        ("remaining", remaining_label(active).into()),
        ("todos", serde_json::to_value(shown)?),
        rest,
    ];
    Ok(entries.into_iter().map(|(key, value): (&str, Value)| (key.to_owned(), value)).collect())
}

/// The value of `aria-current` of the link in force; of the others it is left out.
fn current(filter: Filter) -> Value {
    match filter {
        Filter::All => json!({ "all": "page" }),
        Filter::Active => json!({ "active": "page" }),
        Filter::Completed => json!({ "completed": "page" }),
    }
}

/// JSON that may stand in a script element: no `<` that could end it.
fn script_json(data: &PageData<'_>) -> serde_json::Result<String> {
    Ok(serde_json::to_string(data)?.replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state_with(filter: Filter, client_data: ClientData) -> Value {
        let request = PageRequest { filter, nonce: "abc", timestamp: "2026-09-11T22:49:49.677Z" };
        page_state(&request, client_data).expect("state")
    }

    fn state(filter: Filter) -> Value {
        state_with(filter, ClientData::Script)
    }

    #[test]
    fn state_for_a_plugin_holds_each_todo_once() {
        for (filter, shown) in [(Filter::All, 100), (Filter::Active, 66), (Filter::Completed, 34)] {
            let state = state_with(filter, ClientData::State);
            assert_eq!(state["todos"].as_array().map(Vec::len), Some(shown));
            assert_eq!(state["others"].as_array().map(Vec::len), Some(100 - shown));
            assert_eq!(state.get("data"), None);
        }
    }

    #[test]
    fn list_holds_what_is_shown_and_data_holds_all() {
        for (filter, shown) in [(Filter::All, 100), (Filter::Active, 66), (Filter::Completed, 34)] {
            let state = state(filter);
            assert_eq!(state["todos"].as_array().map(Vec::len), Some(shown));
            let data: Value = serde_json::from_str(state["data"].as_str().expect("text")).expect("JSON");
            assert_eq!(data["todos"].as_array().map(Vec::len), Some(100));
            assert_eq!(state["remaining"], "66 items left");
        }
    }

    #[test]
    fn data_cannot_end_its_script() {
        let state = state(Filter::All);
        let data = state["data"].as_str().expect("text");
        assert!(!data.contains('<'));
        assert!(data.contains("\\u003cb>Not bold"));
    }
}
