import { escaped } from '../domain/mail/mailSecrets.ts'

/** A mail's text and secrets; the caller chooses the recipients. */
export interface Letter {
  subject: string
  text: string
  html: string
  /** The exact secrets in it, such as tokens and temporary passwords. */
  secrets: readonly string[]
}

/** One of our links, and its secret part. */
export interface Link {
  url: string
  secret?: string | undefined
}

/** The parts of a mail: paragraphs, and at most one link. */
interface Parts {
  product: string
  subject: string
  /** The first name, or empty. */
  to?: string | undefined
  paragraphs: readonly string[]
  link?: ({ label: string } & Link) | undefined
  foot?: string | undefined
  /** Secrets besides the link's. */
  secrets?: readonly string[] | undefined
}

// A typed name must not add a header to the mail.
const oneLine = (text: string): string =>
  [...text]
    .map((sign) => (sign < ' ' ? ' ' : sign))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)

/** Builds a mail as plain text and as simple HTML with the same words. */
export function letter({ product, subject, to, paragraphs, link, foot, secrets = [] }: Parts): Letter {
  const hello = to?.trim() ? `Hello ${oneLine(to)},` : 'Hello,'
  const bye = foot ?? `The ${product} team`
  const text = [hello, ...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), bye].join('\n\n')
  const block = (body: string) => `<p style="margin:0 0 16px">${body}</p>`
  const button = link
    ? `<p style="margin:24px 0"><a href="${escaped(link.url)}" style="background:#2f5fd0;color:#fff;text-decoration:none;padding:10px 18px;border-radius:6px;display:inline-block">${escaped(link.label)}</a></p>${block(`<small style="color:#666">Or open this address: ${escaped(link.url)}</small>`)}`
    : ''
  const body = [hello, ...paragraphs].map((line) => block(escaped(line).replace(/\n/g, '<br>'))).join('')
  const html = `<!doctype html><html lang="en"><body style="font:15px/1.5 system-ui,sans-serif;color:#1c2230;max-width:560px;margin:0 auto;padding:24px">${body}${button}${block(escaped(bye))}</body></html>`
  return { subject: oneLine(subject), text, html, secrets: [...secrets, ...(link?.secret ? [link.secret] : [])] }
}

/** Adds the organization's footer to a mail. */
export function withFooter(written: Letter, footer: string): Letter {
  if (!footer.trim()) return written
  const lines = escaped(footer.trim()).replace(/\n/g, '<br>')
  const below = `<p style="margin:24px 0 0;padding-top:12px;border-top:1px solid #dde1e8;color:#666;font-size:13px">${lines}</p>`
  return {
    ...written,
    text: `${written.text}\n\n${footer.trim()}`,
    html: written.html.replace('</body>', () => `${below}</body>`),
  }
}
