import type { Texts } from './en';

export const de: Texts = {
  happened: {
    mentioned: (by) => `${by} hat Sie in einer Notiz genannt.`,
    assigned: (by) => `${by} hat es Ihnen zugewiesen.`,
    created: (by) => `${by} hat es für Sie angefragt.`,
    ended: (by) => `${by} hat es abgeschlossen.`,
    reopened: (by) => `${by} hat es wieder geöffnet.`,
    answered: (by) => `${by} hat eine Notiz geschrieben.`,
    changed: (by) => `${by} hat es geändert.`,
  },
  somebody: 'Jemand',
  times: (count) => `${count}-mal, zuletzt:`,
  cut: 'Der Rest steht im Datensatz.',
  open: 'Öffnen:',
  choose: 'Sie erhalten diese E-Mail, weil dies Sie betrifft. Wählen Sie, welche E-Mails Sie erhalten:',
  last: 'Heute erhalten Sie dazu keine weiteren E-Mails.',
  moreSubject: (count) => `${count} weitere Mitteilungen`,
  more: (count) => `${count} weitere Mitteilungen warten auf Sie. So viele E-Mails wären zu viele.`,
};
