import {
  searchSignOns,
  SIGN_ON_TYPES,
  type LogSpan,
  type SignOnRow,
  type SignOnType,
} from "../../store/log/sign-ons.js";
import type { OrgStore } from "../../store/store.js";

/** Events that one statement reads. */
const PAGE_SIZE = 250;

/** WebFinger queries and sign-ons of an org, the newest first, in parts. */
export async function* readSignOns(data: Pick<OrgStore, "search">, span: LogSpan): AsyncGenerator<SignOnRow[]> {
  let sources = SIGN_ON_TYPES.map((type) => new Source(readType(data, type, span)));
  for (;;) {
    for (const source of sources) await source.fill();
    sources = sources.filter(({ first }) => first !== undefined);
    if (sources.length === 0) return;
    yield [...merge(sources)];
  }
}

/** The rows of one type. */
class Source {
  #part: readonly SignOnRow[] = [];
  #place = 0;

  constructor(private readonly parts: AsyncGenerator<SignOnRow[], void>) {}

  get first(): SignOnRow | undefined {
    return this.#part[this.#place];
  }

  take(): void {
    this.#place++;
  }

  /** Reads more rows if none is left. */
  async fill(): Promise<void> {
    if (this.first) return;
    const { value } = await this.parts.next();
    this.#part = value ?? [];
    this.#place = 0;
  }
}

/** The newest rows, until one source has no more. A later event has a higher sequence. */
function* merge(sources: readonly Source[]): Iterable<SignOnRow> {
  const placeOf = ({ first }: Source) => first?.sequence ?? 0;
  while (sources.every(({ first }) => first !== undefined)) {
    const newest = sources.reduce((a, b) => (placeOf(b) > placeOf(a) ? b : a));
    if (newest.first) yield newest.first;
    newest.take();
  }
}

async function* readType(
  data: Pick<OrgStore, "search">,
  type: SignOnType,
  span: LogSpan,
): AsyncGenerator<SignOnRow[], void> {
  const page = { before: undefined, fetchLimit: PAGE_SIZE };
  let after: (string | number)[] | undefined;
  for (;;) {
    const { rows, end } = await data.search((_dialect, orgId) => searchSignOns(orgId, type, span), { ...page, after });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < PAGE_SIZE && end === undefined) return;
    after = [last.published, last.sequence];
  }
}
