import { Code, List, Textarea } from "@mantine/core";
import type { Fault, Faults } from "../../parts/faults.js";
import { helped, type Term } from "../../parts/help.js";
import { zones } from "../../texts/en/zones.js";

interface RangeLinesProps {
  label: string;
  term: Term;
  description: string;
  lines: readonly string[];
  onChange: (lines: string[]) => void;
  /** The member of the zone: `gateways`. */
  member: string;
  faults: Faults;
}

/** Ranges of addresses, one in each line, with what is wrong in which of them. */
export function RangeLines({ label, term, description, lines, onChange, member, faults }: Readonly<RangeLinesProps>) {
  const wrong = findWrongLines(lines, member, faults);
  return (
    <Textarea
      {...helped(label, term)}
      description={description}
      placeholder={"192.0.2.0/24\n198.51.100.7\n198.51.100.10-198.51.100.20"}
      value={lines.join("\n")}
      onChange={(event) => {
        const { value } = event.currentTarget;
        onChange(value === "" ? [] : value.split("\n"));
      }}
      error={
        wrong.length > 0 && (
          <List component="span" size="xs" listStyleType="none">
            {wrong.map(({ number, text, fault }) => (
              <List.Item component="span" key={number} display="block" className="foreign">
                {fault.props.text.includes(text)
                  ? zones.wrongLine({ line: number, fault })
                  : zones.wrongLineWith({ line: number, text: <Code key="text">{text}</Code>, fault })}
              </List.Item>
            ))}
          </List>
        )
      }
      autosize
      minRows={3}
      maxRows={12}
      spellCheck={false}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
    />
  );
}

interface WrongLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly fault: Fault;
}

/** The API counts the ranges, which empty lines are none of. */
function findWrongLines(lines: readonly string[], member: string, faults: Faults): readonly WrongLine[] {
  const filled = lines.flatMap((line, index) => (line.trim() === "" ? [] : [{ text: line.trim(), number: index + 1 }]));
  return filled.flatMap(({ text, number }, index) => {
    const fault = faults[`${member}[${index}].value`];
    return fault === undefined ? [] : [{ number, text, fault }];
  });
}
