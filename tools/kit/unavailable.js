"use strict";

/** This machine lacks what a case or a part needs. It is skipped, and the report has the message. */
class Unavailable extends Error {}

module.exports = { Unavailable };
