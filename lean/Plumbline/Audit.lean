-- not yet compiled
-- What a theorem rests on.

import Lean

open Lean Elab Command

namespace Plumbline

-- What an axiom means; nothing for the three of Lean's own logic.
def axiomNote (name : String) : Option String :=
  if name == "propext" || name == "Classical.choice" || name == "Quot.sound" then none
  else if name == "sorryAx" then some "unproved: a proof was left out"
  else if name == "Loom.SMT.trust_smt" then some "proves anything: an answer of an SMT solver was believed"
  else if name.endsWith "trustCompiler" || name.endsWith "ofReduceBool" || (name.splitOn "._native.").length > 1 then
    some "native evaluation: compiled code was believed"
  else some "an axiom that Plumbline does not know"

-- #plumbline_audit foo: the axioms of foo, each with what it means. One message, a warning when one of them is
-- more than Lean's logic.
elab "#plumbline_audit " id:ident : command => do
  let names ← liftCoreM <| realizeGlobalConstWithInfos id
  for name in names do
    let axioms ← collectAxioms name
    let texts := axioms.toList.map toString
    let notes := texts.filterMap (fun text => (axiomNote text).map (fun note => text ++ " (" ++ note ++ ")"))
    if notes.isEmpty then
      logInfo m!"plumbline audit of {name}: only Lean's own axioms {texts}"
    else
      logWarning m!"plumbline audit of {name}: {notes}"

end Plumbline
