/** The text without a zone in front of it and a comment behind it. */
export function bareCron(text: string): string {
  return text
    .trim()
    .replace(/^(CRON_)?TZ=\S+\s+/, '')
    .replace(/\s+#.*$/, '');
}
