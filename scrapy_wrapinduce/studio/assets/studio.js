// The studio's page. It never runs anything of the pages it shows: they are in a frame without scripts.

const token = document.querySelector("meta[name=token]").content;
const $ = (id) => document.getElementById(id);
let state = null;
let picked = null;

async function call(path, body) {
  const options = { headers: { "X-Token": token } };
  if (body !== undefined) {
    options.method = "POST";
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  const response = await fetch(`/api/${path}`, options);
  const data = await response.json().catch(() => ({ error: "refused: open the studio again" }));
  if (!response.ok) throw new Error(data.error);
  return data;
}

// Elements are made, never written as HTML: whatever a page says stays text.
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function say(text, isError = false) {
  $("status").textContent = text;
  $("status").classList.toggle("error", isError);
}

async function correct(path, body) {
  document.body.setAttribute("aria-busy", "true");
  say("learning…");
  try {
    state = await call(path, body);
    $("pick").hidden = true;
    await show();
    say(`${state.fields.length} fields, saved`);
  } catch (error) {
    say(error.message, true);
  } finally {
    document.body.removeAttribute("aria-busy");
  }
}

function current() {
  return Number($("pages").value || 0);
}

async function show() {
  const number = current();
  $("pages").replaceChildren(
    ...state.pages.map((page, index) =>
      make("option", { value: index, textContent: `${page.example ? "✎ " : ""}${page.name}` }),
    ),
  );
  $("pages").value = number;
  $("undo").disabled = !state.canUndo;
  $("fields").replaceChildren(...state.fields.map(fieldLine));
  $("names").replaceChildren(...state.fields.map((field) => make("option", { value: field.name })));
  $("files").textContent = `Saved as ${state.files.join(" and ")}`;
  showItems();
  await showPage(number);
}

function fieldLine(field) {
  const chip = make("span", { className: "chip", textContent: field.name });
  chip.style.setProperty("--hue", field.hue);
  const rename = make("button", { textContent: "Rename", type: "button" });
  rename.setAttribute("aria-label", `Rename ${field.name}`);
  const drop = make("button", { textContent: "Drop", type: "button" });
  drop.setAttribute("aria-label", `Drop ${field.name}`);
  const line = make("li", {}, chip, ` ${Math.round(100 * field.coverage)}% `, rename, drop);
  rename.onclick = () => askName(line, field.name);
  drop.onclick = () => correct("drop", { field: field.name });
  return line;
}

function askName(line, name) {
  const input = make("input", { value: name });
  input.setAttribute("aria-label", `New name of ${name}`);
  const form = make("form", {}, input, make("button", { textContent: "OK" }));
  form.onsubmit = (event) => {
    event.preventDefault();
    correct("rename", { field: name, to: input.value });
  };
  line.replaceChildren(form);
  input.select();
}

function asText(value) {
  if (value === undefined) return "";
  return typeof value === "string" ? value : Array.isArray(value) ? value.map(asText).join(" · ") : JSON.stringify(value);
}

function showItems() {
  const names = state.fields.map((field) => field.name);
  const head = make("tr", {}, ...["page", ...names].map((name) => make("th", { textContent: name })));
  const rows = state.pages.flatMap((page, index) =>
    (page.records.length ? page.records : [{}]).slice(0, 50).map((record) => {
      const open = make("button", { textContent: page.name, type: "button" });
      open.onclick = () => {
        $("pages").value = index;
        showPage(index);
      };
      const cells = names.map((name) => make("td", { textContent: asText(record[name]).slice(0, 120) }));
      return make("tr", {}, make("th", {}, open), ...cells);
    }),
  );
  $("items").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
}

async function showPage(number) {
  const { html } = await call(`page?number=${number}`);
  const frame = $("view");
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  frame.srcdoc = html;
  await loaded;
  frame.contentDocument.addEventListener("click", pick);
  frame.dataset.shown = number;
}

function pick(event) {
  event.preventDefault();
  const view = $("view").contentDocument;
  const text = event.target.closest("span[data-wi-start]");
  const withAttributes = event.target.closest("[data-wi-attributes]");
  if (!text && !withAttributes) return;
  const selected = String(view.getSelection()).trim();
  const whole = text ? text.textContent : "";
  picked = { at: Number((text || withAttributes).dataset.wiStart || 0) };
  $("value").value = selected && whole.includes(selected) ? selected : whole.replace(/\s+/g, " ").trim();
  $("field").value = event.target.closest("mark")?.dataset.wiField || "";
  $("add").checked = false;
  const attributes = withAttributes ? JSON.parse(withAttributes.dataset.wiAttributes) : {};
  $("attributes").replaceChildren(
    ...Object.entries(attributes).map(([name, value]) => {
      const button = make("button", { type: "button", textContent: `take its ${name}` });
      button.onclick = () => ($("value").value = value);
      return button;
    }),
  );
  $("pick").hidden = false;
  $("field").focus();
}

$("pick").onsubmit = (event) => {
  event.preventDefault();
  correct("value", {
    page: current(),
    field: $("field").value,
    value: $("value").value,
    at: picked.at,
    add: $("add").checked,
  });
};
$("undo").onclick = () => correct("undo", {});
$("pages").onchange = () => showPage(current());
document.addEventListener("keydown", (event) => {
  const inText = /^(INPUT|TEXTAREA)$/.test(event.target.tagName);
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !inText && state?.canUndo) correct("undo", {});
});

try {
  state = await call("state");
  await show();
  say(`a ${state.family} wrapper with ${state.fields.length} fields`);
} catch (error) {
  say(error.message, true);
}
