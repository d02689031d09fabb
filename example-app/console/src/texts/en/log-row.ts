import { defineTexts } from "../define.js";

/** An event of the System Log. */
export const logRow = defineTexts("logRow", {
  why: "Why",
  whyOf: "Why: the event {event} of {date}",
  show: "Show",
  showOf: "Show the event {event} of {date}",
  hide: "Hide",
  hideOf: "Hide the event {event} of {date}",
  facts: "{type} by {actor}",
  factsFrom: "{type} by {actor} from {address}",
  factsAbout: "{type} by {actor} about {targets}",
  factsFromAbout: "{type} by {actor} from {address} about {targets}",
  onlyType: "Only events of the type {name}",
  onlyBy: "Only events by {name}",
  onlyFrom: "Only events from {name}",
  onlyAbout: "Only events about {name}",
  comma: ", ",
  readingChanges: "Reading the changes",
  requestId: "Id of the request",
  copyRequestId: "Copy the id of the request",
  ofRequest: "Every event of this request",
  became: " became ",
  fieldsAndMore: "{fields} and {n} more",
  removed: "removed",
  none: "none",
});
