import { defineTexts } from "../define.js";

/** The page of the routing tests. */
export const tests = defineTexts("tests", {
  about:
    "Which provider certain logins must get. A change after which a test fails is refused, unless you make it anyway.",
  running: "Running the tests",
  emptyTitle: "No tests yet",
  empty: "{link}, and keep the result as a test.",
  tryLogin: "Try a login",
  list: "Tests, those that fail first",
  onePasses: "1 test, which passes",
  oneFails: "1 test, which fails",
  noneFails: "{n} tests, none fails",
  someFail: { one: "{count} tests, {n} of them fails", other: "{count} tests, {n} of them fail" },
  mustGo: "{login} must go to {wanted}.",
  mustGoFrom: "{login} from {place} must go to {wanted}.",
  goes: "{login} must go to {wanted}. It does.",
  goesFrom: "{login} from {place} must go to {wanted}. It does.",
  itself: "{org} itself",
  gone: "a provider that is gone",
  ofRule: "the provider of its rule",
  andOfRule: "{provider}, the provider of its rule",
  got: "It goes to {provider} by the rule {rule}.",
  noZone: "Its zone is gone, or has no gateway.",
  try: "Try",
  tryNamed: "Try the login of {name}",
  delete: "Delete",
  deleteNamed: "Delete the test {name}",
  deleteAsked: "Delete the test {name}?",
  deleteTest: "Delete the test",
  notDeleted: "The test was not deleted",
  final: "This can't be undone.",
});
