import { defineTexts } from "../define.js";

/** The page of the trusted origins. */
export const origins = defineTexts("origins", {
  about: "Sites whose pages may call the API of this org, or to which people may return after signing in.",
  empty: "Add the origin of a site of yours, such as https://portal.example.com.",
  name: "Name",
  origin: "Origin",
  aboutOrigin: "As browsers send it: the scheme, the host and a port if it is not the usual one. No path.",
  scopes: "What it may do",
  isOn: "The trusted origin is on",
  CORS: "May call the API",
  aboutCORS: "Its pages may use the API from a browser (CORS), with a token.",
  REDIRECT: "May be returned to",
  aboutREDIRECT: "After signing in, a person may return to its pages.",
  mayCORS: "{origin} · may call the API",
  mayREDIRECT: "{origin} · may be returned to",
  mayBoth: "{origin} · may call the API, may be returned to",
});
