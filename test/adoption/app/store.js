"use strict";

/** In memory; the table of the database has the same functions. */
function createStore() {
  const expenses = new Map();
  let last = 0;

  return {
    async list({ q = "", tag = [] } = {}) {
      const isFound = ({ title, tags }) => title.includes(q) && tag.every((each) => tags.includes(each));
      return [...expenses.values()].filter(isFound);
    },
    async get(id) {
      return expenses.get(id);
    },
    async add(values) {
      const expense = { id: String(++last), ...values };
      expenses.set(expense.id, expense);
      return expense;
    },
    async change(id, values) {
      const expense = { ...expenses.get(id), ...values };
      expenses.set(id, expense);
      return expense;
    },
    async remove(id) {
      expenses.delete(id);
    },
  };
}

module.exports = { createStore };
