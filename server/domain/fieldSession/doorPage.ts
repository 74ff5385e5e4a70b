/** TABLE  the pages that respondents see instead of an exit. */
const PAGES = {
  incomplete: { status: 400, title: 'This link is incomplete', text: 'Please open it again from where you got it.' },
  unknown: { status: 404, title: 'This link isn’t known', text: 'It may have ended. Please go back to where you got it.' },
  wait: { status: 429, title: 'Please try again in a minute', text: 'Many people are coming at this moment.' },
  busy: { status: 503, title: 'Please try again', text: 'We could not open the survey at this moment.' },
  stale: { status: 400, title: 'This link is too old', text: 'Please go back, and open it again.' },
  quota_full: { status: 200, title: 'This survey is full', text: 'Thank you for coming. Enough people have taken part.' },
  terminate: { status: 200, title: 'This survey isn’t for you this time', text: 'Thank you for coming.' },
  security: { status: 200, title: 'You can’t take this survey', text: 'You may have taken it before, or the link was changed.' },
  complete: { status: 200, title: 'Thank you', text: 'Your answers have arrived. You can close this page.' },
  ended: { status: 200, title: 'This survey has ended for you', text: 'Thank you for your time. You can close this page.' },
} as const
export type DoorPage = keyof typeof PAGES

/** A page without script or style, with the server's time where a clock is wrong. */
export function pageOf(page: DoorPage, time?: string): { status: number; html: string } {
  const { status, title, text } = PAGES[page]
  const clock = time ? `<p>Our time is <time>${time}</time>.</p>` : ''
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p>${clock}</main></body></html>
`
  return { status, html }
}
