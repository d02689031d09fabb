import { defineTexts } from "../define.js";

/** The System Log. */
export const log = defineTexts("log", {
  about: "Who changed what, and every request to this org. New events appear by themselves.",
  live: "Live",
  reading: "Reading the log",
  searching: "Searching the log",
  count: { one: "{n} event", other: "{n} events" },
  countOrMore: "{count} or more events",
  noEvents: "No events",
  noEventsHint:
    "Choose a longer period or show everything. A change, such as switching a rule off, appears here within a second.",
  nothingYet: "Nothing found so far",
  searchOn: "Search on",
  newEvents: { one: "{n} new event", other: "{n} new events" },
  showOlder: "Show older events",
  comma: ", ",
  overTime: "Events over time",
  ofNewest: "Of the newest {count} events",
  hideTable: "Hide the table",
  showTable: "Show as a table",
  time: "Time",
  bar: "{time}: {counts}",
  none: "no events",
  readingEvents: "Reading the events",
  nothingSaved: "Nothing was saved",
  download: "Download as CSV",
  saved: { one: "The file has {n} event.", other: "The file has {n} events." },
  savedNewest: {
    one: "The file has the newest {n} event; choose a shorter time for older ones.",
    other: "The file has the newest {n} events; choose a shorter time for older ones.",
  },
});
