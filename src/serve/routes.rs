//! Which page an address is: a closed list of paths, with the repository and what is meant as fields of the query.

use super::http_request::{Fields, HttpRequest, Method};
use super::http_response::{Response, Status};
use super::page_beginning::PageBeginning;
use super::page_facts::{NoPage, PageResult, feature, repository, status, wanted};
use super::pages::{self, PageFrame, error_page};
use super::rendered_pages::RenderedPage;
use super::{ServedRepository, Site, live_events, steering, style_policy};
use crate::report::feature_page;
use gatewalk_core::error::Error;
use serde_json::{Value, json};

/// What is loaded by every page.
const STYLE: &str = include_str!("assets/page.css");
const SCRIPT: &str = include_str!("assets/page.js");
const ICON: &str = include_str!("assets/icon.svg");

/// Returns the response to a request of somebody who was let in; the beginning of a page may have gone ahead of it.
pub(super) fn respond(site: &Site, request: &HttpRequest, ahead: PageBeginning) -> Response {
    let query = &request.query;
    let own = PageFrame {
        read_only: site.read_only,
        state: live_events::state_of(&site.repositories),
        done: query.get("done").and_then(|number| site.notes.find(number)),
        ahead,
    };
    let show = |page| shared(site, &own, request, page);
    let shown = match (request.method, &*request.path) {
        (Method::Get, "/") => show(|site, own, _| pages::home_page::show(site, own)),
        (Method::Get, "/feature") => show(pages::feature_view::show),
        (Method::Get, "/unit") => show(pages::unit_view::show),
        (Method::Get, "/review") => show(pages::review_page::show),
        (Method::Get, "/report") => match report(site, query) {
            Ok(report) => return report,
            Err(why) => Err(why),
        },
        (Method::Post, "/decide") => return steering::decide(site, &own, request),
        (Method::Get, "/model.json") => return model(site),
        (Method::Get, "/page.css") => return asset("text/css; charset=utf-8", STYLE),
        (Method::Get, "/page.js") => return asset("text/javascript; charset=utf-8", SCRIPT),
        (Method::Get, "/icon.svg" | "/favicon.ico") => return asset("image/svg+xml", ICON),
        (Method::Get, "/events") => return Response::event_head(),
        (_, path) => match allowed(path) {
            Some(methods) => return error_page::other_method(methods),
            None => Err(NoPage::NotFound(format!("there is no page `{path}`"))),
        },
    };
    match shown {
        Ok(page) => own.ahead.completed(page),
        Err(NoPage::NotFound(what)) => error_page::not_found(&own, &what),
        Err(NoPage::Failed(error)) => match own.ahead.broken_off(&error_page::trouble(&error)) {
            Some(rest) => rest,
            None => error_page::failed(&own, &error),
        },
    }
}

/// Returns a page, rendered once for all who look at it. What was just decided is shown to who decided it alone.
fn shared(
    site: &Site,
    own: &PageFrame,
    request: &HttpRequest,
    page: fn(&Site, &PageFrame, &Fields) -> PageResult,
) -> PageResult {
    let query = &request.query;
    if own.done.is_some() {
        return page(site, own, query);
    }
    let failures = || -> u64 {
        let all = site.repositories.iter();
        all.map(ServedRepository::failures).sum()
    };
    let render = || {
        let before = failures();
        let page = page(site, own, query)?;
        let is_whole = failures() == before;
        Ok(RenderedPage { page, is_whole })
    };
    let address = (&*request.path, query);
    site.rendered.page(address, own.state, render)
}

/// Returns what a path of ours can be asked with.
fn allowed(path: &str) -> Option<&'static str> {
    match path {
        "/decide" => Some("POST"),
        "/" | "/feature" | "/unit" | "/review" | "/report" | "/events" | "/model.json"
        | "/page.css" | "/page.js" | "/icon.svg" | "/favicon.ico" => Some("GET, HEAD"),
        _ => None,
    }
}

fn asset(content: &'static str, text: &str) -> Response {
    Response::new(Status::Ok, content, text.into()).with("Cache-Control", "no-cache")
}

/// Returns the report of a feature as it is for people who were not there: a page by itself, with its own style.
fn report(site: &Site, query: &Fields) -> Result<Response, NoPage> {
    let repository = repository(site, query)?;
    let id = wanted(query, "id")?;
    feature(&*status(site, repository)?, id)?;
    let words = ["report", "--", id].map(str::to_owned);
    let output = repository.decide(&site.runner, &words)?;
    if output.code != Some(0) {
        return Err(NoPage::Failed(Error::environment(output.stderr)));
    }
    let page = Response::new(Status::Ok, "text/html; charset=utf-8", output.stdout);
    Ok(page.with(
        "Content-Security-Policy",
        &style_policy::only(feature_page::STYLE),
    ))
}

/// Returns everything that the pages are made from, as `docs/wire.md` describes it.
fn model(site: &Site) -> Response {
    let rows: Vec<Value> = site
        .repositories
        .iter()
        .map(|repository| {
            let status = status(site, repository);
            json!({
                "name": repository.name,
                "directory": repository.directory.display().to_string(),
                "status": status.as_ref().ok().map(|status| &**status),
                "error": status.as_ref().err().map(ToString::to_string),
            })
        })
        .collect();
    let model = json!({"version": 1, "repositories": rows});
    Response::new(Status::Ok, "application/json", model.to_string().into())
}
