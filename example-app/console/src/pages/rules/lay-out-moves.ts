/** The measures of the picture of moves, in its own units. */
export const PICTURE = { width: 560, bar: 6, gap: 12, least: 16, most: 150 } as const;

/** How high a flow is on average, unless all of them together would be too high. */
const FLOW = 30;

interface Flow {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/** A provider on one side. */
interface Bar {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly isRight: boolean;
}

interface Side {
  readonly bars: readonly Bar[];
  readonly height: number;
  /** The middle of the next band of this width at a provider. */
  readonly take: (name: string, width: number) => number;
}

/** Where bars and bands are: each as high as its logins are many, but never too thin to see. */
export function layOut(flows: readonly Flow[]) {
  const all = flows.reduce((sum, { count }) => sum + count, 0);
  const most = Math.min(FLOW * (flows.length + 1), PICTURE.most);
  const widthOf = ({ count }: Flow) => Math.max((count / all) * most, 2);
  const left = stack(flows, { nameOf: ({ from }) => from, widthOf, x: 0, isRight: false });
  const right = stack(flows, { nameOf: ({ to }) => to, widthOf, x: PICTURE.width - PICTURE.bar, isRight: true });
  const [start, end] = [PICTURE.bar, PICTURE.width - PICTURE.bar];
  const middle = PICTURE.width / 2;
  const bands = flows.map((flow) => {
    const width = widthOf(flow);
    const [a, b] = [left.take(flow.from, width), right.take(flow.to, width)];
    return { width, path: `M${start} ${a} C${middle} ${a} ${middle} ${b} ${end} ${b}` };
  });
  return { bands, left: left.bars, right: right.bars, height: Math.max(left.height, right.height) };
}

interface StackOptions {
  readonly nameOf: (flow: Flow) => string;
  readonly widthOf: (flow: Flow) => number;
  readonly x: number;
  readonly isRight: boolean;
}

/** The providers of one side, one below the other. */
function stack(flows: readonly Flow[], { nameOf, widthOf, x, isRight }: StackOptions): Side {
  const sizes = new Map<string, number>();
  for (const flow of flows) sizes.set(nameOf(flow), (sizes.get(nameOf(flow)) ?? 0) + widthOf(flow));
  const bars: Bar[] = [];
  const next = new Map<string, number>();
  let y = 0;
  for (const [name, width] of sizes) {
    const size = Math.max(width, PICTURE.least);
    bars.push({ name, x, y, size, isRight });
    next.set(name, y + (size - width) / 2);
    y += size + PICTURE.gap;
  }
  return {
    bars,
    height: y - PICTURE.gap,
    take(name, width) {
      const top = next.get(name) ?? 0;
      next.set(name, top + width);
      return top + width / 2;
    },
  };
}
