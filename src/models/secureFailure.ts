/** Why a secure connection was not made, in words for people: what is wrong with the certificate, and what helps. */
import { t } from "../shared/l10n";

interface SecurePlace {
  address: string;
  /** the file of NODE_EXTRA_CA_CERTS, where it is not there */
  lostCertificates?: string | undefined;
}

/** By OpenSSL's and Node's codes; what none fits speaks no TLS. */
export function secureFailure(
  code: string,
  { address, lostCertificates }: SecurePlace,
): [what: string, advice: string] {
  if (/EXPIRED|NOT_YET_VALID/.test(code))
    return [
      t("The certificate of {0} is not valid today ({1}).", address, code),
      t("Check this machine's clock, or have the certificate renewed."),
    ];
  if (/ALTNAME/.test(code))
    return [
      t("The certificate of {0} is for another host name ({1}).", address, code),
      t("Check the address: the name in it must be one that the certificate has."),
    ];
  if (!/CERT|SIGNATURE/.test(code))
    return [
      t(
        "No secure connection to {0} ({1}): it speaks no https, or in a way that is not understood here.",
        address,
        code,
      ),
      t("Check the address, whether it begins with http or https, and any proxy."),
    ];
  const advice = t(
    "If you trust it, as that of a company's proxy, put the certificate into a file and name that in NODE_EXTRA_CA_CERTS before you start.",
  );
  const lost = t("NODE_EXTRA_CA_CERTS names {0}, which is not there.", lostCertificates ?? "");
  return [
    /SELF_SIGNED/.test(code)
      ? t("The certificate of {0} is signed by nobody that this machine knows, but by itself ({1}).", address, code)
      : t("Who issued the certificate of {0} is not known to this machine ({1}).", address, code),
    lostCertificates === undefined ? advice : lost,
  ];
}
