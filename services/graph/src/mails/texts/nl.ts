import type { Texts } from './en';

export const nl: Texts = {
  happened: {
    mentioned: (by) => `${by} heeft u in een notitie genoemd.`,
    assigned: (by) => `${by} heeft het aan u toegewezen.`,
    created: (by) => `${by} heeft het voor u aangevraagd.`,
    ended: (by) => `${by} heeft het afgerond.`,
    reopened: (by) => `${by} heeft het heropend.`,
    answered: (by) => `${by} heeft een notitie geschreven.`,
    changed: (by) => `${by} heeft het gewijzigd.`,
  },
  somebody: 'Iemand',
  times: (count) => `${count} keer, de laatste keer:`,
  cut: 'De rest staat in het record.',
  open: 'Openen:',
  choose: 'U krijgt deze e-mail omdat dit u betreft. Kies welke e-mails u krijgt:',
  last: 'Vandaag krijgt u hierover geen e-mails meer.',
  moreSubject: (count) => `Nog ${count} meldingen`,
  more: (count) => `Er staan nog ${count} meldingen voor u klaar. Zoveel e-mails zouden te veel zijn.`,
};
