import { networkOf } from "../../src/admission/rate-budgets.js";

test("S8 the larger network of an IPv6 address has 48 bits", () => {
  expect(networkOf("2001:db8:1:2::3", 48)).toBe("2001:db8:1::/48");
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::", "0:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["2001:0:0:1::", "2001:0:0:1::/64"],
  ["fe80::1:2:3:4:5", "fe80:0:0:1::/64"],
  ["", ""],
])("S8 the network of %s is %s", (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
