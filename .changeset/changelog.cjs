"use strict";

/* A change is one line of the changelog: what now holds. */
module.exports = {
  getReleaseLine: ({ summary }) => Promise.resolve(`- ${summary.trim()}`),
  getDependencyReleaseLine: () => Promise.resolve(""), // both have one version
};
