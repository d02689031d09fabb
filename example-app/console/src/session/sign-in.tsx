import { Alert, Button, Center, Code, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { send } from "../api/http.js";
import { Problem } from "../parts/problem.js";

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
      <title>Sign in · Console</title>
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={460}>
        <form onSubmit={submit}>
          <Stack>
            <Title order={1} size="h2">
              Sign in to the console
            </Title>
            <Text size="sm" c="dimmed" className="foreign">
              {window.location.host}
            </Text>
            {hasEnded && !shown && (
              <Alert color="yellow" title="Your session has ended">
                Its token was revoked or expired, or nobody used it for a while.
              </Alert>
            )}
            {shown && <Problem error={shown} />}
            <Text size="sm">
              The operator of the server prints a link that signs you in, once, within ten minutes, with this command of
              the program:
            </Text>
            <Code block>console --org NAME</Code>
            <PasswordInput
              label="Or paste an API token of this org"
              description="The server keeps it. Scripts of this page can't read it afterwards."
              value={token}
              onChange={(event) => {
                setToken(event.currentTarget.value);
              }}
              autoComplete="off"
              required
            />
            <Button type="submit" loading={signIn.isPending}>
              Sign in
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
