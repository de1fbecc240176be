// The table of what all pages give.

import { $, chip, make, short } from "./server.js";

const LONGEST_CELL = 120;
const ROOM_BEFORE_NEWS = 300;

// What the last correction has changed stands out.
export function showItems(state, before, open) {
  const fields = state.fields.filter((field) => !field.type.startsWith("as "));
  const heads = fields.map((field) => make("th", { scope: "col" }, chip(field)));
  const head = make("tr", {}, make("th", { textContent: "page", scope: "col" }), ...heads);
  const rows = state.pages.flatMap((page, index) => pageRows(page, before?.pages[index], fields, (field) => open(index, field)));
  $("items").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
  const news = $("items").querySelector("td.news");
  if (news) $("items").parentElement.scrollLeft = news.offsetLeft - ROOM_BEFORE_NEWS;
}

function pageRows(page, before, fields, open) {
  const name = () => make("button", { textContent: short(page.name), type: "button", onclick: () => open() });
  const rows = (page.records.length ? page.records : [{}]).map((record, place) => {
    const old = before?.records[place];
    const cells = fields.map(({ name }) => cell(record[name], old ? old[name] : record[name], () => open(name)));
    return make("tr", {}, make("th", { scope: "row" }, name()), ...cells);
  });
  const more = page.count - page.records.length;
  if (more > 0) rows.push(make("tr", {}, make("td", { colSpan: fields.length + 1, className: "more" }, `… and ${more} more records of ${short(page.name)}`)));
  return rows;
}

function cell(value, old, onclick) {
  const text = asText(value);
  const made = make("td", { textContent: text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text, title: text, onclick });
  if (value?.untyped !== undefined) {
    made.classList.add("untyped");
    made.title = "not of the field's type: left out of items";
  }
  made.classList.toggle("news", JSON.stringify(value) !== JSON.stringify(old));
  return made;
}

function asText(value) {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(asText).join(" · ");
  if (typeof value !== "object") return String(value);
  return "untyped" in value ? asText(value.untyped) : Object.values(value).map(asText).join(" ");
}
