/** What the server writes into the partners' page: the product's name, support address and display zone. */
export interface PageFacts {
  product: string
  support_mail: string
  time_zone: string
}

const meta = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name="fieldwork-${name}"]`)?.content ?? ''

/** Reads the facts from the page, with defaults for missing ones. */
export const pageFacts = (): PageFacts => ({
  product: meta('product') || 'Fieldwork',
  support_mail: meta('support'),
  time_zone: meta('zone') || 'America/New_York',
})
