import { CONFIRM_PAGE, PARTNER_PAGES, RESET_PAGES, STOP_MAIL_PAGE, UNDER_DASHBOARD } from '../../contract/pages.ts'
import { route } from './route.ts'

/** Screens outside the workspace: sign-in, accounts, and pages opened by a signed link. */
export const outsideRoutes = {
  home: route('/', { title: 'Sign in', access: 'public', outside: true, leads: '/login', about: 'Leads to sign-in.' }),
  login: route('/login', {
    title: 'Sign in',
    access: 'public',
    outside: true,
    guests: true,
    about: 'Sign in with your email and password.',
  }),
  forgotPassword: route('/forgotPassword', {
    title: 'Forgot password',
    access: 'public',
    outside: true,
    guests: true,
    about: 'Ask for a link that sets a new password.',
  }),
  passwordReset: route(RESET_PAGES[0], {
    title: 'Set a new password',
    access: 'public',
    outside: true,
    guests: true,
    about: 'Set a new password with the link from the email.',
  }),
  settlersReset: route(RESET_PAGES[1], {
    title: 'Set a new password',
    access: 'public',
    outside: true,
    about: "The settlers group's page for a new password.",
  }),
  requestAccount: route('/request-account', {
    title: 'Request an account',
    access: 'public',
    outside: true,
    guests: true,
    about: 'Ask the team for an account.',
  }),
  registration: route('/registration', {
    title: 'Registration',
    access: 'public',
    outside: true,
    about: 'Accept an invitation and set a password.',
  }),
  confirmEmail: route(CONFIRM_PAGE, {
    title: 'Confirm your new email',
    access: 'public',
    outside: true,
    about: 'Confirms a new email with the link sent to it.',
  }),
  stopMail: route(STOP_MAIL_PAGE, {
    title: 'Stop emails',
    access: 'public',
    outside: true,
    about: 'Stops emails of some kind by the link in one of them.',
  }),
  terms: route('/terms-and-conditions', {
    title: 'Terms and conditions',
    access: 'public',
    outside: true,
    about: 'The terms under which Fieldwork is used.',
  }),
  error: route('/error', {
    title: 'Something went wrong',
    access: 'public',
    outside: true,
    about: 'Says that something went wrong and how to go on.',
  }),
  errorReset: route('/error-reset-password', {
    title: 'The link doesn’t work',
    access: 'public',
    outside: true,
    about: 'Says that a password link was used or has expired.',
  }),
  feasibility: route(PARTNER_PAGES.feasibility, {
    title: 'Feasibility',
    access: 'partner',
    outside: true,
    aliases: [`${UNDER_DASHBOARD}${PARTNER_PAGES.feasibility}`],
    about: 'A channel partner says whether and at what price a project can be fielded.',
  }),
  feasibilityDone: route(PARTNER_PAGES.answered, {
    title: 'Already submitted',
    access: 'public',
    outside: true,
    aliases: [`${UNDER_DASHBOARD}${PARTNER_PAGES.answered}`],
    about: 'Says that the answer for this round was sent already.',
  }),
  feasibilityUnknown: route(PARTNER_PAGES.unknown, {
    title: 'Not found',
    access: 'public',
    outside: true,
    aliases: [`${UNDER_DASHBOARD}${PARTNER_PAGES.unknown}`],
    about: 'Says that this request doesn’t exist, or isn’t for this partner.',
  }),
} as const
