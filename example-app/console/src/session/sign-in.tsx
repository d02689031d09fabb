import { Alert, Button, Center, Code, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { send } from "../api/http.js";
import { Problem } from "../parts/problem.js";
import { signIn as texts } from "../texts/en/sign-in.js";

interface SignInProps {
  /** Why a link or the server failed. */
  error: Error | undefined;
  hasEnded: boolean;
  onSignedIn: () => void;
}

export function SignIn({ error, hasEnded, onSignedIn }: Readonly<SignInProps>) {
  const [token, setToken] = useState("");
  const signIn = useMutation({
    mutationFn: () => send("/console/session", { method: "POST", body: { token: token.trim() } }),
    onSuccess: onSignedIn,
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  const shown = signIn.error ?? error;

  return (
    <Center mih="100vh" p="md" component="main">
      <title>{texts.tab}</title>
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={460}>
        <form onSubmit={submit}>
          <Stack>
            <Title order={1} size="h2">
              {texts.title}
            </Title>
            <Text size="sm" c="dimmed" className="foreign">
              {window.location.host}
            </Text>
            {hasEnded && !shown && (
              <Alert color="yellow" title={texts.ended}>
                {texts.why}
              </Alert>
            )}
            {shown && <Problem error={shown} />}
            <Text size="sm">{texts.command}</Text>
            <Code block>console --org NAME</Code>
            <PasswordInput
              label={texts.token}
              description={texts.tokenNote}
              value={token}
              onChange={(event) => {
                setToken(event.currentTarget.value);
              }}
              autoComplete="off"
              required
            />
            <Button type="submit" loading={signIn.isPending}>
              {texts.signIn}
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
