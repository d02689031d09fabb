"use strict";

const { ORIGINS } = require("./samples.js");

/**
 * Header fields of clients in about the shares in which a public API meets them: three of five are browsers, by the shares
 * that they had in 2024, one of four is an app, the others are programs. Versions differ as those of real clients do.
 */

const WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const BLINK = "AppleWebKit/537.36 (KHTML, like Gecko)";

const chrome = (system) => (version) => `Mozilla/5.0 (${system}) ${BLINK} Chrome/${120 + version}.0.0.0 Safari/537.36`;
const firefox = (system) => (version) =>
  `Mozilla/5.0 (${system}; rv:${120 + version}.0) Gecko/20100101 Firefox/${120 + version}.0`;
const safari = (device, build) => (version) =>
  `Mozilla/5.0 (${device}) ${WEBKIT} Version/17.${version % 7}.${version % 3}${build} Safari/605.1.15`;

/** In percent of all requests. */
const USER_AGENTS = [
  [21, chrome("Windows NT 10.0; Win64; x64")],
  [6, chrome("Macintosh; Intel Mac OS X 10_15_7")],
  [1, chrome("X11; Linux x86_64")],
  [12, (version) => chrome("Linux; Android 10; K")(version).replace(" Safari", " Mobile Safari")],
  [8, safari("iPhone; CPU iPhone OS 17_4_1 like Mac OS X", " Mobile/15E148")],
  [3, safari("Macintosh; Intel Mac OS X 10_15_7", "")],
  [4, (version) => `${chrome("Windows NT 10.0; Win64; x64")(version)} Edg/${120 + version}.0.2478.${50 + version}`],
  [2, firefox("Windows NT 10.0; Win64; x64")],
  [1, firefox("X11; Linux x86_64")],
  [1, (version) => `${chrome("Windows NT 10.0; Win64; x64")(version)} OPR/${105 + version}.0.0.0`],
  [
    1,
    (version) => chrome("Linux; Android 14; SAMSUNG SM-S918B")(version).replace("Chrome", "SamsungBrowser/24.0 Chrome"),
  ],
  [13, (version) => `okhttp/4.${9 + (version % 4)}.0`],
  [9, (version) => `Acme/${40 + version} CFNetwork/1494.0.${version} Darwin/23.${version % 6}.0`],
  [3, (version) => `Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UQ1A.2402${10 + version}.004)`],
  [5, (version) => `python-requests/2.${25 + (version % 8)}.0`],
  [4, () => "node"],
  [3, (version) => `Go-http-client/${1 + (version % 2)}.1`],
  [2, (version) => `curl/8.${version % 10}.0`],
  [1, (version) => `PostmanRuntime/7.${30 + (version % 10)}.3`],
];

const BROWSER = /^Mozilla/;

const ORIGINS_OF_BROWSERS = [
  [55, ORIGINS[0]],
  [15, ORIGINS[1]],
  [10, ORIGINS[2]],
  [18, undefined], // a page of the API's own origin
  [2, "https://elsewhere.example"],
];

const ACCEPTS_OF_BROWSERS = [
  [40, "application/json, text/plain, */*"],
  [35, "*/*"],
  [23, "application/json"],
  [2, "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"],
];

/** Without parameters of media types, for which Fastify would send a 406. */
const ACCEPTS_OF_PROGRAMS = [
  [50, "application/json"],
  [35, "*/*"],
  [10, "application/json, */*; q=0.5"],
  [5, "application/json, application/problem+json"],
];

const LANGUAGES = [
  [40, "en-US,en;q=0.9"],
  [20, "fr-FR,fr;q=0.9,en;q=0.8"],
  [20, "de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7"],
  [20, "en-GB,en;q=0.9"],
];

/** The same clients in every run. */
const SEED = 20_241_127;

/** The header fields of a client after the other. */
function* drawClients() {
  const random = createRandom(SEED);
  for (;;) {
    const userAgent = draw(USER_AGENTS, random)(random(12));
    const isBrowser = BROWSER.test(userAgent);
    const origin = isBrowser ? draw(ORIGINS_OF_BROWSERS, random) : undefined;
    yield {
      Host: "api.example.com",
      "User-Agent": userAgent,
      Accept: draw(isBrowser ? ACCEPTS_OF_BROWSERS : ACCEPTS_OF_PROGRAMS, random),
      ...(isBrowser && { "Accept-Language": draw(LANGUAGES, random) }),
      ...(origin !== undefined && { Origin: origin }),
      "X-Forwarded-For": `203.0.113.${random(256)}, 192.168.7.1, 10.0.0.5`,
      "X-Forwarded-Proto": "https",
    };
  }
}

/** One of `shares`, pairs of percent and value. */
function draw(shares, random) {
  let left = random(100);
  return shares.find(([percent]) => (left -= percent) < 0)[1];
}

/** Lehmer's generator: a function that returns an integer from 0 to below its argument. */
function createRandom(seed) {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * below);
  };
}

module.exports = { drawClients };
