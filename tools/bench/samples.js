"use strict";

const WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const BLINK = "AppleWebKit/537.36 (KHTML, like Gecko)";

/** What browsers, applications and programs send. */
const USER_AGENTS = [
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/124.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${BLINK} Chrome/124.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (X11; Linux x86_64) ${BLINK} Chrome/124.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Chrome/124.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/124.0.0.0 Mobile Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 13; SM-X906C) ${BLINK} Chrome/124.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${WEBKIT} CriOS/124.0.6367.88 Mobile/15E148 Safari/604.1`,
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/17.4.1 Safari/605.1.15`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) ${WEBKIT} Version/17.4.1 Mobile/15E148 Safari/604.1`,
  `Mozilla/5.0 (iPad; CPU OS 12_5_7 like Mac OS X) ${WEBKIT} Version/12.1.2 Mobile/15E148 Safari/604.1`,
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:125.0) Gecko/20100101 Firefox/125.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14.4; rv:125.0) Gecko/20100101 Firefox/125.0",
  "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0",
  "Mozilla/5.0 (Android 14; Mobile; rv:125.0) Gecko/125.0 Firefox/125.0",
  `Mozilla/5.0 (iPhone; CPU iPhone OS 14_4_1 like Mac OS X) ${WEBKIT} FxiOS/125.0 Mobile/15E148 Safari/605.1.15`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/124.0.0.0 Safari/537.36 Edg/124.0.2478.67`,
  `Mozilla/5.0 (Linux; Android 10; HD1913) ${BLINK} Chrome/124.0.6367.82 Mobile Safari/537.36 EdgA/123.0.2420.102`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/124.0.0.0 Safari/537.36 OPR/109.0.0.0`,
  `Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) ${BLINK} SamsungBrowser/24.0 Chrome/117.0.0.0 Mobile Safari/537.36`,
  "Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko",
  "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UQ1A.240205.004)",
  "Acme/42 CFNetwork/1494.0.7 Darwin/23.4.0",
  "curl/8.5.0",
  "python-requests/2.31.0",
  "okhttp/4.12.0",
  "PostmanRuntime/7.37.3",
];

/** `Accept` as browsers, libraries and programs send it to an API. */
const ACCEPTS = [
  "application/json",
  "*/*",
  "application/json, text/plain, */*",
  "application/json, text/javascript, */*; q=0.01",
  "application/json;charset=utf-8",
  "application/json; charset=UTF-8, */*; q=0.5",
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
  "application/problem+json, application/json",
  "application/json, application/*+json",
];

const CONTENT_TYPES = [
  "application/json",
  "application/json; charset=utf-8",
  "application/json;charset=UTF-8",
  'application/json; charset="utf-8"',
];

/** Ten ranges, as a service behind a content delivery network and a balancer of its own lists them. */
const TEN_RANGES = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "192.0.2.0/24",
  "198.51.100.0/25",
  "100.64.0.0/10",
  "2001:db8:1::/48",
  "2001:db8:2::/48",
  "fd00::/8",
];

const ORIGINS = ["https://app.example.com", "https://admin.example.com", "https://login.example.com"];

/** A user as a list has it: about 300 bytes of JSON. */
function createUser(number) {
  const id = `00u${String(number).padStart(17, "1k4Zq8Xb0d7c2ap5s")}`;
  return {
    id,
    status: "ACTIVE",
    created: "2024-03-01T09:12:33.000Z",
    lastUpdated: "2024-05-17T16:40:02.000Z",
    version: number + 7,
    profile: {
      login: `joe.${number}@example.com`,
      email: `joe.${number}@example.com`,
      firstName: "Joséphine",
      lastName: "Müller-Lüdenscheidt",
      locale: "fr_FR",
    },
  };
}

/** The same with what directories store beside: about 4 KB of JSON. */
function createLargeUser(number) {
  const user = createUser(number);
  const groups = Array.from({ length: 24 }, (_, index) => ({
    id: `00g${String(index).padStart(17, "1k4Zq8Xb0d7c2ap5s")}`,
    name: `Department of things ${index}`,
    type: "APP_GROUP",
    assigned: "2024-04-02T08:00:00.000Z",
  }));
  const attributes = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`attribute${index}`, `a value of some length, number ${index}`]),
  );
  return { ...user, profile: { ...user.profile, attributes }, groups };
}

module.exports = {
  ACCEPTS,
  CONTENT_TYPES,
  createLargeUser,
  createUser,
  ORIGINS,
  TEN_RANGES,
  USER_AGENTS,
};
