"use strict";

/**
 * `node fetch-pages.js URL TOKEN`: follows `next` from page to page with nothing but `fetch`, and prints the pages, one a
 * line. A process of its own, because only at its start can Node be told which certificate to trust
 * (`NODE_EXTRA_CA_CERTS`).
 */
async function fetchPages(first, token) {
  for (let url = first; url !== undefined;) {
    const response = await fetch(url, { headers: { Authorization: `SVC ${token}` } });
    console.log(JSON.stringify(await response.json()));
    [, url] = /<([^>]+)>; rel="next"/.exec(response.headers.get("link")) ?? [];
  }
}

const [, , url, token] = process.argv;
fetchPages(url, token).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
