import { Badge, Box, Button, Code, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo, Suspense, useState, type ReactNode } from "react";
import type { LogEvent } from "../../api/types.js";
import { Copy } from "../../parts/copy.js";
import { Help } from "../../parts/help.js";
import { useMayRead } from "../../parts/history/use-may-read.js";
import { later } from "../../parts/later.js";
import { visible } from "../../parts/visible.js";
import { Waiting } from "../../parts/waiting.js";
import { WhenColumn } from "../../parts/when.js";
import { useSession } from "../../session/use-session.js";
import { searchOfTrace } from "../try-login/search.js";
import { describeEvent } from "./describe-event.js";
import { EVENT_TYPES } from "./event-types.js";
import type { Attribute, Question } from "./question.js";
import { ChangedFields, Sentence } from "./sentence.js";
import type { Ask } from "./use-question.js";
import { logRow as texts } from "../../texts/en/log-row.js";

const COLORS = { DEBUG: "gray", INFO: "teal", WARN: "yellow", ERROR: "red" } as const;

/** It reads the history, and has the words of every kind of records. */
const EventChanges = later(async () => (await import("./event-changes.js")).EventChanges);

interface RowProps {
  event: LogEvent;
  question: Question;
  ask: Ask;
}

/** An event, which opens to all that the log has of it. There may be thousands: none is drawn anew for a new one. */
export const LogRow = memo(function LogRow(props: Readonly<RowProps>) {
  const { event } = props;
  const [isOpen, setOpen] = useState(false);
  const { published, severity, displayMessage } = event;
  const { accountPrefix, org } = useSession();
  const explanation = event._links?.trace;
  return (
    <Box role="listitem" px="md" py="sm" style={{ borderTop: "1px solid var(--mantine-color-default-border)" }}>
      <Group gap="sm" align="flex-start">
        <WhenColumn date={published} />
        <Badge variant="light" color={COLORS[severity]} tt="none" w={68}>
          {severity}
        </Badge>
        <Box flex={1} miw={220}>
          <Sentence event={event} parts={describeEvent(event, { accountPrefix, orgName: org.name })} />
          <ChangedFields event={event} />
          <Facts {...props} />
        </Box>
        {explanation && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={texts.whyOf({ event: displayMessage, date: published })}
            renderRoot={(root: object) => (
              <Link to="/" search={searchOfTrace(explanation.href, accountPrefix)} {...root} />
            )}
          >
            {texts.why}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="default"
          aria-expanded={isOpen}
          aria-label={texts[isOpen ? "hideOf" : "showOf"]({ event: displayMessage, date: published })}
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          {isOpen ? texts.hide : texts.show}
        </Button>
      </Group>
      {isOpen && <Details {...props} />}
    </Box>
  );
});

/** What one finds other events by: those of the same type, actor, address or target. */
function Facts({ event, question, ask }: Readonly<RowProps>) {
  const { eventType, actor, client, target, outcome } = event;
  const only = (name: Attribute, value: string) => () => {
    ask({ values: { ...question.values, [name]: value } });
  };
  const { ipAddress } = client;
  const places = {
    type: (
      <Fact
        key="type"
        label={eventType}
        what="onlyType"
        onPress={() => {
          ask({ types: [eventType] });
        }}
      />
    ),
    actor: <Fact key="actor" label={visible(actor.displayName)} what="onlyBy" onPress={only("actor.id", actor.id)} />,
    address: ipAddress !== null && (
      <Fact key="address" label={ipAddress} what="onlyFrom" onPress={only("client.ipAddress", ipAddress)} />
    ),
    targets: target?.map(({ id, displayName }, index) => (
      <span key={id}>
        {index > 0 && texts.comma}
        <Fact label={visible(displayName)} what="onlyAbout" onPress={only("target.id", id)} />
      </span>
    )),
  };
  const isAbout = target !== null && target.length > 0;
  const isFrom = ipAddress !== null;
  const sentence: typeof texts.factsFromAbout = isAbout
    ? texts[isFrom ? "factsFromAbout" : "factsAbout"]
    : texts[isFrom ? "factsFrom" : "facts"];
  return (
    <Text size="xs" c="dimmed" className="foreign" component="div">
      {sentence<ReactNode>(places)}
      {outcome.reason !== null && !EVENT_TYPES.has(eventType) && ` · ${visible(outcome.reason)}`}
    </Text>
  );
}

interface FactProps {
  label: string;
  what: "onlyType" | "onlyBy" | "onlyFrom" | "onlyAbout";
  onPress: () => void;
}

function Fact({ label, what, onPress }: Readonly<FactProps>) {
  const hint = texts[what]({ name: label });
  return (
    <button type="button" className="log-fact" title={hint} aria-label={hint} onClick={onPress}>
      {label}
    </button>
  );
}

function Details({ event, ask }: Readonly<RowProps>) {
  const { requestId, revision, policyId } = event.debugContext.debugData;
  const changed = event.target?.[0];
  const mayRead = useMayRead();
  return (
    <Box mt="sm">
      {mayRead && changed && revision !== undefined && policyId === undefined && (
        <Box mb="sm">
          <Suspense fallback={<Waiting size="xs" what={texts.readingChanges} />}>
            <EventChanges revision={Number(revision)} target={changed.id} />
          </Suspense>
        </Box>
      )}
      {requestId !== "" && (
        <Group gap={6} mb="xs">
          <Text size="xs" className="mono">
            {requestId}
          </Text>
          <Copy value={requestId} label={texts.copyRequestId} />
          <Help term="requestId" name={texts.requestId} />
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => {
              ask(ofRequest(requestId));
            }}
          >
            {texts.ofRequest}
          </Button>
        </Group>
      )}
      <Code block tabIndex={0} style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {JSON.stringify(event, null, 2)}
      </Code>
    </Box>
  );
}

/** Everything that the log has of a request. */
function ofRequest(id: string): Partial<Question> {
  const values = { "debugContext.debugData.requestId": id };
  return { view: "", types: [], expression: "", words: "", values, since: "90d", until: undefined };
}
