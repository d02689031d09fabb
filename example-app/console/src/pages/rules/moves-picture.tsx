import { Box } from "@mantine/core";
import type { ReplayedMove } from "../../api/types.js";
import { ruleReplay as texts } from "../../texts/en/rule-replay.js";
import { layOut, PICTURE } from "./lay-out-moves.js";
import { useProviderName } from "./provider-name.js";

/** The moves that the picture has, those with the most logins. */
const SHOWN = 12;

/** The longest name in it. */
const MAX_NAME = 26;

/** What moves where, as bands between the providers before and after. The table beside it has the same in words. */
export function MovesPicture({ moves }: Readonly<{ moves: readonly ReplayedMove[] }>) {
  const nameOf = useProviderName();
  const shown = moves.slice(0, SHOWN).map(({ from, to, count }) => ({ from: nameOf(from), to: nameOf(to), count }));
  const { height, bands, left, right } = layOut(shown);
  return (
    <Box
      component="svg"
      role="img"
      aria-label={texts.picture}
      viewBox={`0 0 ${PICTURE.width} ${height}`}
      w="100%"
      style={{ display: "block", fontSize: 12 }}
    >
      {bands.map(({ path, width }, index) => (
        <path
          key={path}
          d={path}
          fill="none"
          stroke="var(--mantine-primary-color-filled)"
          strokeWidth={width}
          opacity={0.15 + (0.2 * (bands.length - index)) / bands.length}
        />
      ))}
      {[...left, ...right].map(({ name, x, y, size, isRight }) => (
        <g key={`${x} ${name}`}>
          <rect x={x} y={y} width={PICTURE.bar} height={size} fill="var(--mantine-color-text)" rx={1} />
          <text
            x={isRight ? x - 6 : x + PICTURE.bar + 6}
            y={y + size / 2}
            dominantBaseline="central"
            textAnchor={isRight ? "end" : "start"}
            fill="var(--mantine-color-text)"
          >
            {name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name}
          </text>
        </g>
      ))}
    </Box>
  );
}
