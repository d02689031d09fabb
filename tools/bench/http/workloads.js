"use strict";

const { Buffer } = require("node:buffer");
const { createUser, ORIGINS, USER_AGENTS } = require("../samples.js");

const GET_URL = "/users?filter=profile.email%20eq%20%22joe.1%40example.com%22&limit=20";

/** As they arrive behind a content delivery network and a balancer. */
const GET_HEADERS = {
  Host: "api.example.com",
  Accept: "application/json, text/plain, */*",
  "Accept-Language": "fr-FR,fr;q=0.9,en;q=0.8",
  Origin: ORIGINS[0],
  "X-Forwarded-For": "203.0.113.7, 192.168.7.1, 10.0.0.5",
  "X-Forwarded-Proto": "https",
};

/** Requests by the name of the workload. They differ in `User-Agent`, since one that never changes is too easy. */
const WORKLOADS = {
  get: createRequests({ method: "GET", path: GET_URL }),
  "post-1k": createRequests({ method: "POST", path: "/users", body: createBody(1_024) }),
  "post-64k": createRequests({ method: "POST", path: "/users", body: createBody(65_536) }),
};

function createRequests({ method, path, body }) {
  return USER_AGENTS.map((userAgent) => {
    const headers = { ...GET_HEADERS, "User-Agent": userAgent };
    if (body !== undefined) headers["Content-Type"] = "application/json; charset=utf-8";
    return { method, path, headers, body };
  });
}

/** JSON of about `size` bytes: users, with names beyond ASCII. */
function createBody(size) {
  const users = [];
  while (Buffer.byteLength(JSON.stringify({ users })) < size) users.push(createUser(users.length));
  if (users.length > 1) users.pop();
  return JSON.stringify({ users });
}

module.exports = { GET_HEADERS, GET_URL, WORKLOADS };
