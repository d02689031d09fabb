import { compileNamespace, DEFAULT_NAMESPACE } from "../../../lib/factory/namespace.js";

describe("compileNamespace", () => {
  it("N4 derives every public name from svc by default", () => {
    expect(DEFAULT_NAMESPACE).toBe("svc");
    expect(compileNamespace("f")).toEqual({
      name: "svc",
      value: "SVC",
      accountPrefix: "svc:acct:",
      idpRelation: "svc:idp",
      idpMetadataProperty: "svc:idp:metadata",
      idpTypeProperty: "svc:idp:type",
      idpIdProperty: "svc:idp:id",
      requestIdHeader: "X-Svc-Request-Id",
    });
  });

  it("N4 changes every public name with the namespace", () => {
    expect(compileNamespace("f", "acme2")).toEqual({
      name: "acme2",
      value: "ACME2",
      accountPrefix: "acme2:acct:",
      idpRelation: "acme2:idp",
      idpMetadataProperty: "acme2:idp:metadata",
      idpTypeProperty: "acme2:idp:type",
      idpIdProperty: "acme2:idp:id",
      requestIdHeader: "X-Acme2-Request-Id",
    });
  });

  it.each(["a", "a".repeat(31), "a".repeat(32)])("takes %s", (name) => {
    expect(compileNamespace("f", name).name).toBe(name);
  });

  it.each([[""], ["a".repeat(33)], ["Svc"], ["2a"], ["a-b"], ["a:b"], ["a\n"], ["é"], [null], [1], [["svc"]]])(
    "refuses %p",
    (name) => {
      expect(() => compileNamespace("f", name as never)).toThrow(
        new TypeError("f: option `namespace` must be 1 to 32 lower-case letters and digits, a letter first"),
      );
    },
  );
});
