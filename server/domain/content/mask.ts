import { replaceEmails } from '../../core/emails.ts'

/** Nine to fifteen digits with the characters used in phone numbers. */
const PHONE = /(?<![\w/])\+?\(?\d(?:[ \t().–-]{0,2}\d){8,14}(?!\w)/g

/** A participant's text for client users, without addresses and phone numbers. */
export const masked = (text: string): string => replaceEmails(text, '[email]').replace(PHONE, '[phone]')
