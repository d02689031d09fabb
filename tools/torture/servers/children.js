"use strict";

/** What must end with the program: processes, folders. Released in the opposite order, each once. */
const held = [];

/** @returns a function that releases it now */
function hold(release) {
  const entry = { release };
  held.push(entry);
  return function releaseOne() {
    const index = held.indexOf(entry);
    if (index !== -1) held.splice(index, 1);
    return release();
  };
}

async function releaseAll() {
  for (let entry = held.pop(); entry; entry = held.pop()) {
    await Promise.resolve(entry.release()).catch((error) => console.error(error));
  }
}

module.exports = { hold, releaseAll };
