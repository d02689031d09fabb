import { Box, Group, Select, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ApiProblem } from "../../api/http.js";
import { ExpressionField } from "../../parts/expression-field.js";
import { helped } from "../../parts/help.js";
import { ServerText } from "../../parts/server-text.js";
import { AskedForm } from "./asked-form.js";
import { EVENT_TYPES, labelOf } from "./event-types.js";
import { startOfExpression, VIEWS, type Question } from "./question.js";
import { BetweenFields, isBetween, PeriodField } from "./time-range.js";
import type { Ask } from "./use-question.js";
import { logFilters as texts } from "../../texts/en/log-filters.js";

interface FiltersProps {
  question: Question;
  ask: Ask;
  /** What the server finds wrong. */
  mistake: ApiProblem | undefined;
}

/** The types of events by their kind, without those that are chosen. */
function groupTypes(chosen: readonly string[]) {
  const types = Array.from(EVENT_TYPES, ([value, kind]) => ({ value, label: labelOf(value), kind }));
  return [...new Set(EVENT_TYPES.values())].map((group) => ({
    group: texts[group],
    items: types.filter(({ value, kind }) => kind === group && !chosen.includes(value)),
  }));
}

/** How to find events. What one types is asked when it is whole. */
export function Filters({ question, ask, mistake }: Readonly<FiltersProps>) {
  const { words, view, types, since, until, expression } = question;
  const [isWriting, setWriting] = useState(false);
  const hasDates = isWriting || isBetween(question);
  const isOfWords = isMistakeOfWords(mistake);
  return (
    <Stack gap="sm">
      <Group align="flex-start">
        <AskedForm
          value={words}
          onAsk={(asked) => {
            ask({ words: asked });
          }}
          style={{ flex: "1 1 220px" }}
        >
          {(draft, write) => (
            <TextInput
              {...helped(texts.find, "logWords")}
              placeholder={texts.findHint}
              value={draft}
              onChange={(event) => {
                write(event.currentTarget.value);
              }}
              error={isOfWords && <ServerText text={mistake?.causes[0]?.replace(/^q: /, "") ?? ""} />}
              maxLength={420}
              autoComplete="off"
              type="search"
            />
          )}
        </AskedForm>
        <Select
          {...helped(texts.show, "logView")}
          data={VIEWS.map(({ value, name }) => ({ value, label: texts[name] }))}
          value={view}
          onChange={(chosen) => {
            ask({ view: chosen ?? "" });
          }}
          allowDeselect={false}
          w={235}
        />
        <Select
          {...helped(texts.event, "eventType")}
          placeholder={texts.any}
          data={groupTypes(types)}
          value={null}
          onChange={(type) => {
            if (type !== null) ask({ types: [...types, type] });
          }}
          searchable
          nothingFoundMessage={texts.noneHasThis}
          w={210}
        />
        <PeriodField
          value={hasDates ? "" : since}
          onChange={(period) => {
            setWriting(period === "");
            if (period !== "") ask({ since: period, until: undefined });
          }}
        />
      </Group>
      {hasDates && <BetweenFields since={since} until={until} ask={ask} />}
      <AskedForm
        value={expression}
        onAsk={(asked) => {
          ask({ expression: asked });
        }}
      >
        {(draft, write) => (
          <Box>
            <ExpressionField
              {...helped(texts.filter, "logFilter")}
              placeholder='eventType sw "user." and actor.displayName eq "Nightly job"'
              value={draft}
              onChange={write}
              sent={expression}
              start={startOfExpression(question)}
              error={isOfWords ? undefined : mistake}
            />
          </Box>
        )}
      </AskedForm>
    </Stack>
  );
}

function isMistakeOfWords(mistake: ApiProblem | undefined): boolean {
  return mistake?.causes[0]?.startsWith("q") === true;
}
