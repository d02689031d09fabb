import { compileAddressCheck } from "../../src/metadata/addresses.js";

describe("compileAddressCheck", () => {
  const isPublic = compileAddressCheck([]);

  it.each([
    [
      "0.0.0.0",
      "10.0.0.1",
      "10.255.255.255",
      "100.64.0.1",
      "127.0.0.1",
      "169.254.169.254",
      "172.16.0.1",
      "172.31.255.255",
    ],
    ["192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1"],
    ["224.0.0.1", "240.0.0.1", "255.255.255.255"],
    ["::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::7f00:1", "64:ff9b::7f00:1", "100::1", "fc00::1", "fd00::1"],
    ["fe80::1", "fec0::1", "ff02::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "4000::1", "5f00::1"],
    ["", "localhost", "0x7f.1", "1.2.3", "fe80::1%eth0"],
  ])("refuses addresses that are not public: %s …", (...addresses) => {
    expect(addresses.filter(isPublic)).toEqual([]);
  });

  it("takes public addresses", () => {
    const addresses = ["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255"];
    const others = ["172.32.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450::1", "::ffff:1.1.1.1"];
    expect([...addresses, ...others].filter((address) => !isPublic(address))).toEqual([]);
  });

  it("takes addresses of the networks, and no others that are not public", () => {
    const check = compileAddressCheck(["10.1.0.0/16", "fd00::/8"]);
    expect(
      ["10.0.255.255", "10.1.0.0", "10.1.255.255", "10.2.0.0", "fd12::1", "fc00::1", "1.1.1.1"].filter(check),
    ).toEqual([...["10.1.0.0", "10.1.255.255", "fd12::1", "1.1.1.1"]]);
  });

  it("refuses a network that is none", () => {
    expect(() => compileAddressCheck(["10.0.0.1/8"])).toThrow(TypeError);
  });
});
