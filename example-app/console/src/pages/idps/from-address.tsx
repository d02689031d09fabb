import { Button, Select, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState, type SubmitEvent } from "react";
import type { DescribedIdp } from "../../api/types.js";
import { helped } from "../../parts/help.js";
import { Problem } from "../../parts/problem.js";
import { idpStart } from "../../texts/en/idp-start.js";
import { faultOf, readAddress } from "./read-metadata.js";
import { findBlank, VENDORS, type Vendor } from "./vendors.js";

interface FromAddressProps {
  vendor: Vendor | undefined;
  onVendor: (vendor: Vendor | undefined) => void;
  onRead: (found: DescribedIdp) => void;
}

/** Reads a provider from the address of its metadata, or from its issuer. */
export function FromAddress({ vendor, onVendor, onRead }: Readonly<FromAddressProps>) {
  const [address, setAddress] = useState("");
  const [blank, setBlank] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const reading = useMutation({
    // another address than the vendor's may be of another type
    mutationFn: () => readAddress(address.trim(), vendor?.address === address.trim() ? vendor.type : undefined),
  });
  const showBlank = (text: string) => {
    const found = findBlank(text);
    setBlank(found?.text);
    field.current?.focus();
    if (found) field.current?.setSelectionRange(found.start, found.start + found.text.length);
    return found !== undefined;
  };
  const choose = (name: string | null) => {
    const chosen = VENDORS.find((one) => one.name === name);
    onVendor(chosen);
    reading.reset();
    setBlank(undefined);
    const isOwn = address !== "" && VENDORS.every((one) => one.address !== address);
    if (isOwn) return;
    setAddress(chosen?.address ?? "");
    if (chosen) {
      requestAnimationFrame(() => {
        if (showBlank(chosen.address)) setBlank(undefined);
      });
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // only for who still waits for it: what comes after another address or way is of no use
    if (!showBlank(address)) reading.mutate(undefined, { onSuccess: onRead });
  };
  const fault = faultOf(reading.error, "url");

  return (
    <form onSubmit={submit}>
      <Stack gap="sm" align="flex-start">
        <Select
          label={idpStart.product}
          description={idpStart.aboutProduct}
          placeholder={idpStart.any}
          data={VENDORS.map(({ name }) => name)}
          value={vendor?.name ?? null}
          onChange={choose}
          clearable
          clearButtonProps={{ "aria-label": idpStart.anyProduct }}
          w={280}
        />
        <TextInput
          ref={field}
          {...helped(idpStart.url, "metadataSource")}
          description={vendor?.help() ?? idpStart.aboutUrl}
          placeholder="https://sso.contoso.example/metadata"
          value={address}
          onChange={(event) => {
            setAddress(event.currentTarget.value);
            setBlank(undefined);
            reading.reset();
          }}
          error={blank === undefined ? fault : idpStart.fillIn({ blank })}
          maxLength={2_048}
          required
          spellCheck={false}
          autoComplete="off"
          inputMode="url"
          data-autofocus
          w="100%"
        />
        {reading.error && fault === undefined && <Problem error={reading.error} title={idpStart.notRead} />}
        <Button type="submit" loading={reading.isPending}>
          {idpStart.read}
        </Button>
      </Stack>
    </form>
  );
}
