import { useAtomValue } from 'jotai'
import { configAtom } from '../../data/session.ts'
import { OutsidePage } from './OutsidePage.tsx'

/** The terms of use. */
export default function TermsPane() {
  const { name, product, support_mail } = useAtomValue(configAtom)
  return (
    <OutsidePage
      wide
      title="Terms and conditions"
      lead={`What you and ${name} can expect of each other when you use ${product}.`}
      links={[{ to: 'login', title: 'Go to sign in' }]}
    >
      <div className="flex flex-col gap-5">
        {termsOf(name, product, support_mail).map(([title, text], at) => (
          <section key={title}>
            <h2 className="text-title">
              {at + 1}. {title}
            </h2>
            <p className="mt-1 text-muted">{text}</p>
          </section>
        ))}
      </div>
    </OutsidePage>
  )
}

const termsOf = (name: string, product: string, mail: string): readonly [title: string, text: string][] => [
  [
    'Your account',
    'An account is for one person. Keep your password to yourself, choose one that you use nowhere else, and tell us at once when somebody else may know it. You can see where you are signed in, and end any of these sessions, in your account settings.',
  ],
  [
    'What you may do',
    `You may use ${product} to request, follow and report survey and content projects of the clients that you work for. You may not try to see what your role does not show you, load the service so that others suffer, or resell it.`,
  ],
  [
    'What you bring in',
    'Questions, files, audiences and notes that you add stay yours, or your client’s. You say that you may use them, and you let us store and show them as far as the service needs it. Files are checked for their type and size.',
  ],
  [
    'Respondents',
    'The people who answer have a right to their privacy. Results are shown as figures; addresses, exact places and network addresses of participants are seen only by those who pay rewards. You will not try to find out who a respondent is.',
  ],
  [
    'Quotes and costs',
    'A request is not an order. You receive a quote, and nothing goes into the field before you have approved it. An approved quote binds both sides for the dates and the quantity that it names.',
  ],
  ['Rewards', 'Rewards are paid to participants through the project’s provider. A sent reward can’t be recalled.'],
  [
    'What is recorded',
    `${product} records who changed what and when, so that a project’s history can be read by those who work on it. It sets one cookie, which keeps you signed in.`,
  ],
  [
    'Our side',
    `${name} runs ${product} with care, and tells you ahead of planned work on it. It cannot promise that it is never down, nor is it liable for what it could not foresee.`,
  ],
  [
    'The end of it',
    'You can stop at any time; so can we, with a month’s notice, or at once where these terms are broken. What you brought in can be exported before that.',
  ],
  [
    'Questions',
    mail ? `Write to ${mail}. A person answers.` : 'Write to the people who gave you your account. A person answers.',
  ],
]
