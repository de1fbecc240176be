// The list of fields: where one is on the page; rename, type, merge, drop.

import { $, chip, make } from "./server.js";

let opened = ""; // the field whose tools are shown

export function showFields(state, { correct, locate }) {
  const lines = state.fields.map((field) => make("li", {}, fieldLine(field, state, correct, locate)));
  const none = make("li", { className: "empty", textContent: "No fields yet: click a value on the page." });
  $("fields-title").textContent = lines.length ? `${lines.length} fields` : "Fields";
  $("fields").replaceChildren(...(lines.length ? lines : [none]));
  $("names").replaceChildren(...state.fields.map((field) => make("option", { value: field.name })));
  $("fields").querySelector("details[open]")?.scrollIntoView({ block: "nearest" });
}

export function open(name) {
  opened = name;
}

function fieldLine(field, state, correct, locate) {
  const share = make("span", { className: "share", title: "of the records have it" }, `${Math.round(100 * field.coverage)}%`);
  const sample = make("span", { className: "sample", title: field.sample }, field.sample);
  const summary = make("summary", {}, chip(field), sample, share);
  summary.onclick = () => {
    opened = line.open ? "" : field.name;
    if (opened) locate(opened);
  };
  const line = make("details", { name: "field", open: field.name === opened }, summary, state.document ? "" : tools(field, state, correct));
  return line;
}

function tools(field, state, correct) {
  const different = make("span", { className: "different" }, `${field.distinct} different values`);
  const kind = make("select", { label: `Type of ${field.name}` }, ...kinds(field, state.types).map((type) => make("option", { textContent: type })));
  kind.value = field.type;
  kind.onchange = () => correct("type", { field: field.name, type: kind.value });
  const button = (word, onclick) => toolButton(word, field.name, onclick);
  const box = make(
    "div",
    { className: "tools" },
    different,
    make("span", { className: "buttons" }, kind, button("Rename", rename), button("Merge", merge), button("Drop", drop)),
    ...field.inner.map((name) => innerLine(field, name, correct)),
  );

  function rename() {
    const name = make("input", { value: field.name, label: `New name of ${field.name}`, required: true });
    ask(box, name, "Rename", (to) => correct("rename", { field: field.name, to: to.trim() }));
  }

  function merge() {
    const others = state.fields.filter((other) => other.name !== field.name);
    const choice = make("select", { label: `Merge ${field.name} into` }, ...others.map((other) => make("option", { textContent: other.name })));
    ask(box, choice, "Merge", (into) => correct("merge", { field: field.name, into }));
  }

  function drop() {
    correct("drop", { field: field.name });
  }

  return box;
}

// A field of a list of records goes by its path.
function innerLine(field, name, correct) {
  const path = `${field.name}.${name}`;
  const box = make("div", { className: "inner" }, chip({ name, hue: field.hue }), toolButton("Rename", path, rename), toolButton("Drop", path, drop));

  function rename() {
    ask(box, make("input", { value: name, label: `New name of ${path}`, required: true }), "Rename", (to) => correct("rename", { field: path, to: `${field.name}.${to.trim()}` }));
  }

  function drop() {
    correct("drop", { field: path });
  }

  return box;
}

function toolButton(word, name, onclick) {
  return make("button", { textContent: word, type: "button", label: `${word} ${name}`, onclick });
}

// A field that is merged into another shows that, and becomes one of its own again by another choice.
function kinds(field, types) {
  return types.includes(field.type) ? types : [field.type, ...types];
}

function ask(box, control, word, answer) {
  box.querySelector("form")?.remove();
  const form = make("form", {}, control, make("button", { textContent: word, className: "main" }));
  form.onsubmit = (event) => {
    event.preventDefault();
    answer(control.value);
  };
  form.onkeydown = (event) => {
    if (event.key === "Escape") form.remove();
  };
  box.append(form);
  control.focus();
  control.select?.();
}
