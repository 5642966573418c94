// Pages work without this. It fetches the middle of the page anew when the server says that something changed, and shows
// times as ages.
"use strict";
(() => {
  const live = document.getElementById("live");
  const dress = (root) => {
    for (const button of root.querySelectorAll("button[data-copy]")) {
      if (!navigator.clipboard) continue;
      button.hidden = false;
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(button.dataset.copy);
        button.textContent = "Copied";
      });
    }
    const age = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
    for (const time of root.querySelectorAll("time[datetime]")) {
      const at = new Date(time.dateTime);
      if (isNaN(at)) continue;
      const seconds = (at - Date.now()) / 1000;
      const [unit, size] = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]]
        .find(([, size]) => Math.abs(seconds) >= size) || ["second", 1];
      time.title = at.toLocaleString();
      time.textContent = age.format(Math.round(seconds / size), unit);
    }
  };
  dress(document);
  if (document.body.dataset.live === undefined) return;

  // What somebody has begun to write must not vanish under their hands.
  const isWriting = () => [...document.querySelectorAll("form")].some((form) =>
    form.contains(document.activeElement) || [...form.elements].some((field) =>
      /^(text|textarea)$/.test(field.type) && field.value !== field.defaultValue));
  const name = (details) => details.querySelector("summary")?.textContent.replace(/\d+/g, "") ?? "";
  let fetching = false;
  let again = false;
  const refresh = async () => {
    if (isWriting()) { live.textContent = "changed: reload when you have sent this"; return; }
    if (fetching) { again = true; return; }
    fetching = true;
    try {
      const answer = await fetch(location.href, { credentials: "same-origin" });
      const text = await answer.text();
      // A server with too much to do, or a page that broke off, is asked again.
      if (answer.status === 503 || !text.endsWith("</html>")) throw new Error("no whole page");
      if (!answer.ok || isWriting()) return;
      const page = new DOMParser().parseFromString(text, "text/html");
      const main = page.getElementById("main");
      const own = document.getElementById("main");
      if (!main) return;
      const open = new Map([...own.querySelectorAll("details")].map((d) => [name(d), d.open]));
      for (const details of main.querySelectorAll("details")) {
        if (open.has(name(details))) details.open = open.get(name(details));
      }
      const link = own.contains(document.activeElement) && document.activeElement.getAttribute("href");
      dress(main);
      own.replaceChildren(...main.childNodes);
      if (link) own.querySelector(`[href="${CSS.escape(link)}"]`)?.focus({ preventScroll: true });
      document.title = page.title;
      document.body.dataset.live = page.body.dataset.live;
      live.textContent = "";
    } catch {
      // Where the server is gone, its return is noticed below.
      if (events?.readyState === EventSource.OPEN) setTimeout(refresh, 1000 + 1000 * Math.random());
    } finally {
      fetching = false;
      if (again) { again = false; refresh(); }
    }
  };

  // A browser opens few connections to one server: a page that nobody sees gives its own back.
  let events = null;
  const listen = () => {
    events?.close();
    events = null;
    if (document.hidden) return;
    events = new EventSource("/events");
    events.onmessage = (event) => {
      live.textContent = "";
      if (event.data !== document.body.dataset.live) refresh();
    };
    events.onerror = () => { live.textContent = "not connected"; };
  };
  document.addEventListener("visibilitychange", listen);
  listen();
})();
