import { Text } from "@mantine/core";
import { toWords } from "./faults.js";

/** What is wrong, one line each. */
export function Causes({ causes }: Readonly<{ causes: readonly string[] }>) {
  return (
    <Text component="ul" size="sm" mt={4} mb={0}>
      {causes.map((cause) => (
        <li key={cause} className="foreign">
          {toWords(cause)}
        </li>
      ))}
    </Text>
  );
}
