export * as Admission from "./Admission.js"
export * as HttpTransport from "./HttpTransport.js"
export * as RandomIds from "./RandomIds.js"
export * as Sessions from "./Sessions.js"
