"use strict";

const querystring = require("node:querystring");
const vary = require("express").response.vary;

/** What middlewares ask of a request and a response, without a connection: the work that is left is their own. */
class RequestDouble {
  constructor({ method = "GET", url = "/users", rawHeaders = [], headers, remoteAddress = "10.1.2.3", route }) {
    this.method = method;
    this.url = url;
    this.originalUrl = url;
    this.httpVersionMajor = 1;
    this.rawHeaders = rawHeaders;
    this.headers = headers ?? collectHeaders(rawHeaders);
    this.socket = { remoteAddress, encrypted: false };
    this.route = route;
  }

  get connection() {
    return this.socket;
  }

  get query() {
    return querystring.parse(this.url.slice(this.url.indexOf("?") + 1)); // as Express 5 does on each reading
  }
}

/** Its fields are kept in two lists under the names as they are written, for less than any middleware costs. */
class ResponseDouble {
  statusCode = 200;
  statusMessage = "";
  headersSent = false;
  body = undefined;
  #names = [];
  #values = [];

  setHeader(name, value) {
    const index = this.#names.indexOf(name);
    if (index !== -1) this.#values[index] = value;
    else this.#values[this.#names.push(name) - 1] = value;
  }

  getHeader(name) {
    return this.#values[this.#names.indexOf(name)];
  }

  hasHeader(name) {
    return this.#names.includes(name);
  }

  removeHeader(name) {
    const index = this.#names.indexOf(name);
    if (index === -1) return;
    this.#names.splice(index, 1);
    this.#values.splice(index, 1);
  }

  append(name, value) {
    const present = this.getHeader(name);
    this.setHeader(name, present === undefined ? value : [present, value].flat());
  }

  vary(field) {
    return vary.call(this, field);
  }

  end(body) {
    this.body = body;
  }

  /** Serialising is no convention, and costs all the same. */
  json(body) {
    this.body = body;
  }
}

/** The headers as Node has them of `rawHeaders`, names and values in turns. */
function collectHeaders(rawHeaders) {
  const headers = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers[rawHeaders[index].toLowerCase()] = rawHeaders[index + 1];
  }
  return headers;
}

/** Call `handlers` one after the other as a router does; an error ends the case. */
function runHandlers(handlers, req, res) {
  let index = 0;
  next();

  function next(error) {
    if (error) throw error;
    const handler = handlers[index++];
    if (handler) handler(req, res, next);
  }
}

module.exports = { collectHeaders, RequestDouble, ResponseDouble, runHandlers };
