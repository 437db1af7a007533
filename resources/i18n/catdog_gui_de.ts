<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
  <context>
    <name>AboutDialog</name>
    <message>
      <source>Cat &amp; Dog Trainer</source>
      <translation>Cat &amp; Dog Trainer</translation>
    </message>
    <message>
      <source>Version {version}. Free software under the MIT licence.</source>
      <translation>Version {version}. Freie Software unter der MIT-Lizenz.</translation>
    </message>
    <message>
      <source>It teaches a network to tell your photos apart, on this computer. Nothing is sent anywhere. The bundled network is EfficientNet-Lite0 (Apache licence 2.0).</source>
      <translation>Es bringt einem Netz bei, Ihre Fotos zu unterscheiden, auf diesem Computer. Nichts wird irgendwohin gesendet. Das mitgelieferte Netz ist EfficientNet-Lite0 (Apache-Lizenz 2.0).</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
  </context>
  <context>
    <name>AdvancedForm</name>
    <message>
      <source>Reset to the preset</source>
      <translation>Auf die Vorgabe zurücksetzen</translation>
    </message>
  </context>
  <context>
    <name>AnswerExports</name>
    <message>
      <source>{count} shown answers</source>
      <translation>{count} gezeigte Antworten</translation>
    </message>
    <message>
      <source>All answers</source>
      <translation>Alle Antworten</translation>
    </message>
    <message>
      <source>Save as CSV table…</source>
      <translation>Als CSV-Tabelle speichern…</translation>
    </message>
    <message>
      <source>Save as JSON…</source>
      <translation>Als JSON speichern…</translation>
    </message>
    <message>
      <source>Copy photos into folders by class…</source>
      <translation>Fotos nach Klassen in Ordner kopieren…</translation>
    </message>
    <message>
      <source>Move photos into folders by class…</source>
      <translation>Fotos nach Klassen in Ordner verschieben…</translation>
    </message>
    <message>
      <source>Undo: bring moved photos back ({count})</source>
      <translation>Rückgängig: verschobene Fotos zurückholen ({count})</translation>
    </message>
    <message>
      <source>Save answers as CSV</source>
      <translation>Antworten als CSV speichern</translation>
    </message>
    <message>
      <source>CSV tables (*.csv)</source>
      <translation>CSV-Tabellen (*.csv)</translation>
    </message>
    <message>
      <source>Save answers as JSON</source>
      <translation>Antworten als JSON speichern</translation>
    </message>
    <message>
      <source>JSON (*.json)</source>
      <translation>JSON (*.json)</translation>
    </message>
    <message>
      <source>Choose where the folders by class are to be</source>
      <translation>Wählen Sie, wo die Ordner der Klassen liegen sollen</translation>
    </message>
    <message>
      <source>Sorting the photos into folders…</source>
      <translation>Sortiert die Fotos in Ordner…</translation>
    </message>
    <message>
      <source>{count} photos will be taken out of their present folders and put into folders by class in “{name}”. You can undo that, also after a restart.</source>
      <translation>{count} Fotos werden aus ihren jetzigen Ordnern genommen und nach Klassen in Ordner in „{name}“ gelegt. Das lässt sich rückgängig machen, auch nach einem Neustart.</translation>
    </message>
    <message>
      <source>Move the photos?</source>
      <translation>Die Fotos verschieben?</translation>
    </message>
    <message>
      <source>Move</source>
      <translation>Verschieben</translation>
    </message>
    <message>
      <source>Bringing the photos back…</source>
      <translation>Holt die Fotos zurück…</translation>
    </message>
    <message>
      <source>Sorting the photos into folders: {done} of {total}</source>
      <translation>Sortiert die Fotos in Ordner: {done} von {total}</translation>
    </message>
    <message>
      <source>Photos moved: {count}.</source>
      <translation>Verschobene Fotos: {count}.</translation>
    </message>
    <message>
      <source>Photos copied: {count}.</source>
      <translation>Kopierte Fotos: {count}.</translation>
    </message>
    <message>
      <source>Photos back in their old places: {count}.</source>
      <translation>Fotos wieder an ihrem alten Ort: {count}.</translation>
    </message>
    <message>
      <source>Left out: {count}. {first}</source>
      <translation>Ausgelassen: {count}. {first}</translation>
    </message>
  </context>
  <context>
    <name>AnswerFilters</name>
    <message>
      <source>As dropped</source>
      <translation>Wie abgelegt</translation>
    </message>
    <message>
      <source>Unsure first</source>
      <translation>Unsichere zuerst</translation>
    </message>
    <message>
      <source>By name</source>
      <translation>Nach Namen</translation>
    </message>
    <message>
      <source>Show one class</source>
      <translation>Eine Klasse zeigen</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>Suche</translation>
    </message>
    <message>
      <source>Search the answers by file name</source>
      <translation>Die Antworten nach Dateinamen durchsuchen</translation>
    </message>
    <message>
      <source>Empty the search</source>
      <translation>Suche leeren</translation>
    </message>
    <message>
      <source>Order of the answers</source>
      <translation>Reihenfolge der Antworten</translation>
    </message>
    <message>
      <source>All classes</source>
      <translation>Alle Klassen</translation>
    </message>
    <message>
      <source>Wrong</source>
      <translation>Falsch</translation>
    </message>
    <message>
      <source>All</source>
      <translation>Alle</translation>
    </message>
    <message>
      <source>Sure</source>
      <translation>Sicher</translation>
    </message>
    <message>
      <source>Not sure</source>
      <translation>Nicht sicher</translation>
    </message>
    <message>
      <source>None of these</source>
      <translation>Nichts davon</translation>
    </message>
    <message>
      <source>Not readable</source>
      <translation>Nicht lesbar</translation>
    </message>
  </context>
  <context>
    <name>AnswerStatus</name>
    <message>
      <source>Pause</source>
      <translation>Pause</translation>
    </message>
    <message>
      <source>Go on</source>
      <translation>Weiter</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>Save or sort…</source>
      <translation>Speichern, sortieren…</translation>
    </message>
    <message>
      <source>Clear</source>
      <translation>Leeren</translation>
    </message>
    <message>
      <source>Photos answered</source>
      <translation>Beantwortete Fotos</translation>
    </message>
    <message>
      <source>Stopping…</source>
      <translation>Wird angehalten…</translation>
    </message>
    <message>
      <source>{done} of {total}</source>
      <translation>{done} von {total}</translation>
    </message>
    <message>
      <source>Looking for photos…</source>
      <translation>Sucht Fotos…</translation>
    </message>
    <message>
      <source>{shown} of {count} photos</source>
      <translation>{shown} von {count} Fotos</translation>
    </message>
    <message>
      <source>1 photo</source>
      <translation>1 Foto</translation>
    </message>
    <message>
      <source>{count} photos</source>
      <translation>{count} Fotos</translation>
    </message>
    <message>
      <source>The photos under way are answered first.</source>
      <translation>Die Fotos, an denen es arbeitet, werden noch beantwortet.</translation>
    </message>
    <message>
      <source>Paused</source>
      <translation>Pausiert</translation>
    </message>
    <message>
      <source>{time} left</source>
      <translation>noch {time}</translation>
    </message>
    <message>
      <source>{more} more waiting</source>
      <translation>{more} weitere warten</translation>
    </message>
  </context>
  <context>
    <name>AnswerView</name>
    <message>
      <source>Answers</source>
      <translation>Antworten</translation>
    </message>
  </context>
  <context>
    <name>AnswerWishes</name>
    <message>
      <source>Sample pictures</source>
      <translation>Beispielbilder</translation>
    </message>
    <message>
      <source>Models (*.safetensors)</source>
      <translation>Modelle (*.safetensors)</translation>
    </message>
    <message>
      <source>Save model as</source>
      <translation>Modell speichern unter</translation>
    </message>
    <message>
      <source>Models (*.safetensors);;All files (*)</source>
      <translation>Modelle (*.safetensors);;Alle Dateien (*)</translation>
    </message>
    <message>
      <source>Open a model</source>
      <translation>Modell öffnen</translation>
    </message>
  </context>
  <context>
    <name>AnswerWords</name>
    <message>
      <source>None of these</source>
      <translation>Nichts davon</translation>
    </message>
    <message>
      <source>Unlike any photo it learned from</source>
      <translation>Anders als alle gelernten Fotos</translation>
    </message>
    <message>
      <source>none of these</source>
      <translation>nichts davon</translation>
    </message>
    <message>
      <source>The reason is not known.</source>
      <translation>Der Grund ist nicht bekannt.</translation>
    </message>
    <message>
      <source>Could not be read</source>
      <translation>Nicht lesbar</translation>
    </message>
    <message>
      <source>could not be read: {reason}</source>
      <translation>nicht lesbar: {reason}</translation>
    </message>
    <message>
      <source>then {name} {share}</source>
      <translation>dann {name} {share}</translation>
    </message>
    <message>
      <source>not sure: {classes}</source>
      <translation>nicht sicher: {classes}</translation>
    </message>
    <message>
      <source>poor photo</source>
      <translation>schlechtes Foto</translation>
    </message>
    <message>
      <source>the photo looks poor</source>
      <translation>das Foto wirkt schlecht</translation>
    </message>
    <message>
      <source>Not sure</source>
      <translation>Nicht sicher</translation>
    </message>
    <message>
      <source>score {value}</source>
      <translation>Wert {value}</translation>
    </message>
  </context>
  <context>
    <name>CarefulPanel</name>
    <message>
      <source>How careful</source>
      <translation>Wie vorsichtig</translation>
    </message>
    <message>
      <source>Back to advised</source>
      <translation>Zurück zur Empfehlung</translation>
    </message>
    <message>
      <source>Answers everything</source>
      <translation>Antwortet immer</translation>
    </message>
    <message>
      <source>Advised</source>
      <translation>Empfohlen</translation>
    </message>
    <message>
      <source>Only when very sure</source>
      <translation>Nur wenn sehr sicher</translation>
    </message>
    <message>
      <source>The answers on the right follow this, and it is kept with the model.</source>
      <translation>Die Antworten rechts richten sich danach, und es wird mit dem Modell gespeichert.</translation>
    </message>
    <message>
      <source>Too few photos were checked to fit this to them: the middle is a cautious setting, for any photos. Add photos and train again.</source>
      <translation>Zu wenige Fotos wurden geprüft, um dies an sie anzupassen: Die Mitte ist eine vorsichtige Einstellung für beliebige Fotos. Legen Sie Fotos dazu und trainieren Sie noch einmal.</translation>
    </message>
    <message>
      <source>The middle is what the program advises for your photos.</source>
      <translation>Die Mitte empfiehlt das Programm für Ihre Fotos.</translation>
    </message>
    <message>
      <source>Of your {n} checked photos it would refuse {count} ({share}).</source>
      <translation>Von Ihren {n} Prüffotos würde es {count} nicht beantworten ({share}).</translation>
    </message>
    <message>
      <source>It would answer none.</source>
      <translation>Es würde keines beantworten.</translation>
    </message>
    <message>
      <source>Of the {count} it answers, {right} are right ({share}).</source>
      <translation>Von den {count} beantworteten sind {right} richtig ({share}).</translation>
    </message>
    <message>
      <source>Only {n} photos were checked: of these it would answer {answered}, {right} of them right.</source>
      <translation>Nur {n} Fotos wurden geprüft: Davon würde es {answered} beantworten, {right} davon richtig.</translation>
    </message>
  </context>
  <context>
    <name>ClosingDialog</name>
    <message>
      <source>A run is going on. Close anyway?</source>
      <translation>Ein Lauf ist im Gang. Trotzdem schließen?</translation>
    </message>
    <message>
      <source>Stop and save keeps the best model so far, once there is one, and the run can go on later. Keep running minimises the window, and closes it when the run is done.</source>
      <translation>„Anhalten und speichern“ behält das bisher beste Modell, sobald es eines gibt, und der Lauf kann später weitergehen. „Weiterlaufen“ verkleinert das Fenster und schließt es, wenn der Lauf fertig ist.</translation>
    </message>
    <message>
      <source>Stop and save</source>
      <translation>Anhalten und speichern</translation>
    </message>
    <message>
      <source>Keep running</source>
      <translation>Weiterlaufen</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Saving the best model so far…</source>
      <translation>Das bisher beste Modell wird gespeichert…</translation>
    </message>
    <message>
      <source>The window closes in a moment.</source>
      <translation>Das Fenster schließt sich gleich.</translation>
    </message>
  </context>
  <context>
    <name>Compare</name>
    <message>
      <source>Device</source>
      <translation>Gerät</translation>
    </message>
    <message>
      <source>Photos/s</source>
      <translation>Fotos/s</translation>
    </message>
    <message>
      <source>Photos learned from in a second; the middle of the repeats</source>
      <translation>Fotos, von denen in einer Sekunde gelernt wird; die Mitte der Wiederholungen</translation>
    </message>
    <message>
      <source>Speed-up</source>
      <translation>Mal so schnell</translation>
    </message>
    <message>
      <source>Times as fast as the processor in full precision (fp32)</source>
      <translation>So viele Male so schnell wie der Prozessor in voller Genauigkeit (fp32)</translation>
    </message>
    <message>
      <source>Your photos once</source>
      <translation>Ihre Fotos einmal</translation>
    </message>
    <message>
      <source>Learning once from every photo of the chosen folder</source>
      <translation>Einmal von jedem Foto des gewählten Ordners lernen</translation>
    </message>
    <message>
      <source>25,000 ten times</source>
      <translation>25.000 zehnmal</translation>
    </message>
    <message>
      <source>The article's training: 25,000 photos, ten times</source>
      <translation>Das Training des Artikels: 25.000 Fotos, zehnmal</translation>
    </message>
    <message>
      <source>Memory</source>
      <translation>Speicher</translation>
    </message>
    <message>
      <source>The most that was taken: by this program, or on the card</source>
      <translation>Das meiste, was belegt war: von diesem Programm oder auf der Karte</translation>
    </message>
    <message>
      <source>Spread</source>
      <translation>Streuung</translation>
    </message>
    <message>
      <source>How far the middle half of the repeats lies apart; large: the computer is busy</source>
      <translation>Wie weit die mittlere Hälfte der Wiederholungen auseinanderliegt; groß: der Computer ist beschäftigt</translation>
    </message>
    <message>
      <source>{n} s</source>
      <translation>{n} s</translation>
    </message>
    <message>
      <source>{n} min</source>
      <translation>{n} min</translation>
    </message>
    <message>
      <source>{n} h</source>
      <translation>{n} h</translation>
    </message>
    <message>
      <source>{n} photos/s</source>
      <translation>{n} Fotos/s</translation>
    </message>
  </context>
  <context>
    <name>CompareDialog</name>
    <message>
      <source>Compare devices</source>
      <translation>Geräte vergleichen</translation>
    </message>
    <message>
      <source>Each device learns from the same photos of “{name}” for some seconds, as in the article.</source>
      <translation>Jedes Gerät lernt einige Sekunden von denselben Fotos aus „{name}“, wie im Artikel.</translation>
    </message>
    <message>
      <source>Progress of the comparison</source>
      <translation>Fortschritt des Vergleichs</translation>
    </message>
    <message>
      <source>Not compared</source>
      <translation>Nicht verglichen</translation>
    </message>
    <message>
      <source>Copy as text</source>
      <translation>Als Text kopieren</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>Measure again</source>
      <translation>Noch einmal messen</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Stopping…</source>
      <translation>Wird angehalten…</translation>
    </message>
    <message>
      <source>stopping…</source>
      <translation>hält an…</translation>
    </message>
    <message>
      <source>measuring…</source>
      <translation>misst…</translation>
    </message>
    <message>
      <source>warming up…</source>
      <translation>läuft warm…</translation>
    </message>
  </context>
  <context>
    <name>ConfusionTable</name>
    <message>
      <source>Answers by class: rows are what the photos show, columns what was answered</source>
      <translation>Antworten nach Klassen: Zeilen zeigen, was auf den Fotos ist, Spalten, was geantwortet wurde</translation>
    </message>
    <message>
      <source>said {name}</source>
      <translation>sagte {name}</translation>
    </message>
    <message>
      <source>found</source>
      <translation>erkannt</translation>
    </message>
    <message>
      <source>Found: {found} of {n}</source>
      <translation>Erkannt: {found} von {n}</translation>
    </message>
    <message>
      <source>{count} photos of “{true}” were answered “{said}”</source>
      <translation>{count} Fotos von „{true}“ wurden mit „{said}“ beantwortet</translation>
    </message>
  </context>
  <context>
    <name>CopyButton</name>
    <message>
      <source>Copied</source>
      <translation>Kopiert</translation>
    </message>
  </context>
  <context>
    <name>CurvesView</name>
    <message>
      <source>The curves of a run are drawn here.</source>
      <translation>Hier werden die Kurven eines Laufs gezeichnet.</translation>
    </message>
    <message>
      <source>The run ended before it learned anything. Results says why.</source>
      <translation>Der Lauf endete, bevor er etwas gelernt hat. Unter „Ergebnis“ steht, warum.</translation>
    </message>
    <message>
      <source>This run was stopped before its first step: there are no curves.</source>
      <translation>Dieser Lauf wurde vor dem ersten Schritt angehalten: Es gibt keine Kurven.</translation>
    </message>
    <message>
      <source>Stopping…</source>
      <translation>Wird angehalten…</translation>
    </message>
    <message>
      <source>The curves begin with the first step, once all photos are prepared.</source>
      <translation>Die Kurven beginnen mit dem ersten Schritt, sobald alle Fotos vorbereitet sind.</translation>
    </message>
  </context>
  <context>
    <name>DataPanel</name>
    <message>
      <source>Photos</source>
      <translation>Fotos</translation>
    </message>
    <message>
      <source>Folder with the photos</source>
      <translation>Ordner mit den Fotos</translation>
    </message>
    <message>
      <source>Choose a folder of photos</source>
      <translation>Ordner mit Fotos wählen</translation>
    </message>
    <message>
      <source>One sub-folder for each class, for example &lt;b&gt;cats&lt;/b&gt; and &lt;b&gt;dogs&lt;/b&gt;.</source>
      <translation>Ein Unterordner je Klasse, zum Beispiel &lt;b&gt;Katzen&lt;/b&gt; und &lt;b&gt;Hunde&lt;/b&gt;.</translation>
    </message>
    <message>
      <source>Looking through the folder: {count} photos</source>
      <translation>Der Ordner wird durchgesehen: {count} Fotos</translation>
    </message>
    <message>
      <source>Looking through the folder…</source>
      <translation>Der Ordner wird durchgesehen…</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Use the folder “{name}”</source>
      <translation>Den Ordner „{name}“ nehmen</translation>
    </message>
    <message>
      <source>and {count} more classes</source>
      <translation>und {count} weitere Klassen</translation>
    </message>
    <message>
      <source>Photos of {name}</source>
      <translation>Fotos von {name}</translation>
    </message>
    <message>
      <source>{learn} to learn, checked with another folder</source>
      <translation>{learn} zum Lernen, geprüft mit einem anderen Ordner</translation>
    </message>
    <message>
      <source>{learn} to learn, {check} to check</source>
      <translation>{learn} zum Lernen, {check} zum Prüfen</translation>
    </message>
    <message>
      <source>The folders for training and checking are used as they are. &lt;a&gt;Split anew instead&lt;/a&gt;</source>
      <translation>Die Ordner zum Lernen und Prüfen werden genommen, wie sie sind. &lt;a&gt;Stattdessen neu aufteilen&lt;/a&gt;</translation>
    </message>
    <message>
      <source>All photos are split anew. &lt;a&gt;Use the folders' own split&lt;/a&gt;</source>
      <translation>Alle Fotos werden neu aufgeteilt. &lt;a&gt;Die Aufteilung der Ordner nehmen&lt;/a&gt;</translation>
    </message>
    <message>
      <source>{count} left out, &lt;a&gt;why?&lt;/a&gt;</source>
      <translation>{count} ausgelassen, &lt;a&gt;warum?&lt;/a&gt;</translation>
    </message>
  </context>
  <context>
    <name>DropArea</name>
    <message>
      <source>Photos…</source>
      <translation>Fotos…</translation>
    </message>
    <message>
      <source>Choose photos to classify</source>
      <translation>Fotos zum Bestimmen wählen</translation>
    </message>
    <message>
      <source>Folder…</source>
      <translation>Ordner…</translation>
    </message>
    <message>
      <source>Choose a folder to classify</source>
      <translation>Ordner wählen und bestimmen lassen</translation>
    </message>
    <message>
      <source>Paste</source>
      <translation>Einfügen</translation>
    </message>
    <message>
      <source>Classify what was copied</source>
      <translation>Kopiertes bestimmen lassen</translation>
    </message>
    <message>
      <source>open a model…</source>
      <translation>Modell öffnen…</translation>
    </message>
    <message>
      <source>Train one, or</source>
      <translation>Trainieren oder</translation>
    </message>
    <message>
      <source>Drop photos or a folder here</source>
      <translation>Fotos oder Ordner hierher</translation>
    </message>
    <message>
      <source>Your model appears here</source>
      <translation>Hier erscheint Ihr Modell</translation>
    </message>
  </context>
  <context>
    <name>Estimate</name>
    <message>
      <source>{n} s</source>
      <translation>{n} s</translation>
    </message>
    <message>
      <source>{n} min</source>
      <translation>{n} min</translation>
    </message>
    <message>
      <source>{n} h</source>
      <translation>{n} h</translation>
    </message>
    <message>
      <source>Seeing how fast this computer is…</source>
      <translation>Sieht nach, wie schnell dieser Computer ist…</translation>
    </message>
    <message>
      <source>About {time}, {memory} of memory.</source>
      <translation>Etwa {time}, {memory} Speicher.</translation>
    </message>
    <message>
      <source>About {time}, {memory} of memory: these photos were read before.</source>
      <translation>Etwa {time}, {memory} Speicher: Diese Fotos wurden schon gelesen.</translation>
    </message>
  </context>
  <context>
    <name>ExportDialog</name>
    <message>
      <source>Much smaller, a little less exact (8-bit weights)</source>
      <translation>Viel kleiner, ein wenig ungenauer (8-Bit-Gewichte)</translation>
    </message>
    <message>
      <source>Comparing answers</source>
      <translation>Antworten werden verglichen</translation>
    </message>
    <message>
      <source>Show folder</source>
      <translation>Ordner zeigen</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Choose a place…</source>
      <translation>Ort wählen…</translation>
    </message>
    <message>
      <source>Export “{name}” for other programs</source>
      <translation>„{name}“ für andere Programme exportieren</translation>
    </message>
    <message>
      <source>One ONNX file holds everything, from the photo to the verdict, and needs neither this program nor PyTorch. It gets its name only after it has answered 50 pictures as this program does.</source>
      <translation>Eine ONNX-Datei enthält alles, vom Foto bis zum Urteil, und braucht weder dieses Programm noch PyTorch. Ihren Namen bekommt sie erst, wenn sie 50 Bilder so beantwortet hat wie dieses Programm.</translation>
    </message>
    <message>
      <source>Building the file…</source>
      <translation>Die Datei entsteht…</translation>
    </message>
    <message>
      <source>Comparing its answers with the program's: {done} of {total}</source>
      <translation>Ihre Antworten werden mit denen des Programms verglichen: {done} von {total}</translation>
    </message>
    <message>
      <source>Exported, and it answers as this program does</source>
      <translation>Exportiert, und es antwortet wie dieses Programm</translation>
    </message>
    <message>
      <source>Exported in 8 bits</source>
      <translation>In 8 Bit exportiert</translation>
    </message>
    <message>
      <source>{file} ({size} MB) and {example}, which shows how to ask it, are in the folder.</source>
      <translation>{file} ({size} MB) und {example}, das zeigt, wie man fragt, liegen im Ordner.</translation>
    </message>
    <message>
      <source>{agree} of {checked} answers are the same; probabilities are at most {difference} apart.</source>
      <translation>{agree} von {checked} Antworten sind gleich; Wahrscheinlichkeiten liegen höchstens {difference} auseinander.</translation>
    </message>
    <message>
      <source>The model was not exported</source>
      <translation>Das Modell wurde nicht exportiert</translation>
    </message>
    <message>
      <source>The run's photos are gone, so drawings were asked about.</source>
      <translation>Die Fotos des Laufs sind nicht mehr da, also wurde nach Zeichnungen gefragt.</translation>
    </message>
    <message>
      <source>On this computer the window itself answers in {precision}, quicker and rounder: {same} of {checked} answers are the same, at most {difference} apart.</source>
      <translation>Auf diesem Computer antwortet das Fenster selbst in {precision}, schneller und gröber: {same} von {checked} Antworten sind gleich, höchstens {difference} auseinander.</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
  </context>
  <context>
    <name>FailurePanel</name>
    <message>
      <source>Copy details</source>
      <translation>Einzelheiten kopieren</translation>
    </message>
    <message>
      <source>Open log file</source>
      <translation>Protokoll öffnen</translation>
    </message>
    <message>
      <source>Report a problem…</source>
      <translation>Ein Problem melden …</translation>
    </message>
    <message>
      <source>Dismiss</source>
      <translation>Verwerfen</translation>
    </message>
    <message>
      <source>Log file: {path}</source>
      <translation>Protokolldatei: {path}</translation>
    </message>
  </context>
  <context>
    <name>FaultDialog</name>
    <message>
      <source>Something in this program went wrong that should not.</source>
      <translation>In diesem Programm ist etwas schiefgegangen, was nicht sein darf.</translation>
    </message>
    <message>
      <source>The window goes on, but what you just did may be incomplete. The log file has more: {path}</source>
      <translation>Das Fenster läuft weiter, aber was Sie eben getan haben, ist vielleicht unvollständig. Mehr steht in der Protokolldatei: {path}</translation>
    </message>
    <message>
      <source>Copy details</source>
      <translation>Einzelheiten kopieren</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Open log file</source>
      <translation>Protokoll öffnen</translation>
    </message>
    <message>
      <source>Report a problem…</source>
      <translation>Ein Problem melden …</translation>
    </message>
  </context>
  <context>
    <name>FirstLook</name>
    <message>
      <source>Cat &amp; Dog Trainer</source>
      <translation>Cat &amp; Dog Trainer</translation>
    </message>
    <message>
      <source>&lt;a&gt;Choose photos&lt;/a&gt; to begin</source>
      <translation>Zum Anfangen &lt;a&gt;Fotos wählen&lt;/a&gt;</translation>
    </message>
  </context>
  <context>
    <name>FolderEdit</name>
    <message>
      <source>Choose a folder…</source>
      <translation>Ordner wählen…</translation>
    </message>
    <message>
      <source>Recent folders</source>
      <translation>Letzte Ordner</translation>
    </message>
  </context>
  <context>
    <name>GoOnOffer</name>
    <message>
      <source>Go on with it</source>
      <translation>Damit weitermachen</translation>
    </message>
    <message>
      <source>Not now</source>
      <translation>Nicht jetzt</translation>
    </message>
    <message>
      <source>The run “{name}” of {when} was stopped when the window was closed. It can go on exactly where it was.</source>
      <translation>Der Lauf „{name}“ ({when}) wurde beim Schließen des Fensters angehalten. Er kann genau dort weitergehen, wo er war.</translation>
    </message>
    <message>
      <source>The run “{name}” of {when} was cut off. It can go on exactly where it was.</source>
      <translation>Der Lauf „{name}“ von {when} wurde unterbrochen. Er kann genau dort weitergehen, wo er war.</translation>
    </message>
  </context>
  <context>
    <name>Header</name>
    <message>
      <source>Device</source>
      <translation>Gerät</translation>
    </message>
    <message>
      <source>Cat &amp; Dog Trainer</source>
      <translation>Cat &amp; Dog Trainer</translation>
    </message>
    <message>
      <source>Paused</source>
      <translation>Pausiert</translation>
    </message>
    <message>
      <source>Training on {device}</source>
      <translation>Trainiert auf {device}</translation>
    </message>
    <message>
      <source>{device} ready, looking for more…</source>
      <translation>{device} bereit, sucht weitere…</translation>
    </message>
    <message>
      <source>{device} ready</source>
      <translation>{device} bereit</translation>
    </message>
  </context>
  <context>
    <name>HeldOutOffer</name>
    <message>
      <source>This model has only seen drawings: it does not know photos. Try it on drawings it has not seen.</source>
      <translation>Dieses Modell hat nur Zeichnungen gesehen: Fotos kennt es nicht. Probieren Sie es an Zeichnungen, die es nicht gesehen hat.</translation>
    </message>
    <message>
      <source>Classify the drawings kept back</source>
      <translation>Die zurückgehaltenen Zeichnungen bestimmen</translation>
    </message>
  </context>
  <context>
    <name>HelpWishes</name>
    <message>
      <source>This computer</source>
      <translation>Dieser Computer</translation>
    </message>
    <message>
      <source>Looking…</source>
      <translation>Sucht…</translation>
    </message>
    <message>
      <source>Keys</source>
      <translation>Tasten</translation>
    </message>
    <message>
      <source>Zip files (*.zip)</source>
      <translation>Zip-Dateien (*.zip)</translation>
    </message>
    <message>
      <source>Save the report about a problem</source>
      <translation>Den Problembericht speichern</translation>
    </message>
    <message>
      <source>It holds what this computer has, the settings, the end of the log and the last run's events. There are no photos in it, and names are replaced. Look into it, then attach it to your report.</source>
      <translation>Darin stehen, was dieser Computer hat, die Einstellungen, das Ende des Protokolls und der Verlauf des letzten Laufs. Fotos sind keine darin, Namen sind ersetzt. Sehen Sie hinein und hängen Sie die Datei dann an Ihre Meldung.</translation>
    </message>
    <message>
      <source>The report is saved: {name}</source>
      <translation>Der Bericht ist gespeichert: {name}</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>Im Ordner zeigen</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
  </context>
  <context>
    <name>Keys</name>
    <message>
      <source>Try it: classify the photos or the picture on the clipboard</source>
      <translation>Ausprobieren: Fotos oder Bild der Zwischenablage bestimmen</translation>
    </message>
    <message>
      <source>Try it: copy the selected answers, or all</source>
      <translation>Ausprobieren: die gewählten Antworten kopieren oder alle</translation>
    </message>
    <message>
      <source>Runs: open the selected run</source>
      <translation>Läufe: den gewählten Lauf öffnen</translation>
    </message>
    <message>
      <source>Runs: delete the selected run, after asking</source>
      <translation>Läufe: den gewählten Lauf löschen, nach einer Rückfrage</translation>
    </message>
    <message>
      <source>Runs: rename the selected run</source>
      <translation>Läufe: den gewählten Lauf umbenennen</translation>
    </message>
    <message>
      <source>Field with the folder: recent folders</source>
      <translation>Feld mit dem Ordner: letzte Ordner</translation>
    </message>
    <message>
      <source>Close a dialog or menu. It never stops a run</source>
      <translation>Dialog oder Menü schließen. Hält nie einen Lauf an</translation>
    </message>
  </context>
  <context>
    <name>LeftOutNote</name>
    <message>
      <source>Could not be opened: {count}.</source>
      <translation>Nicht zu öffnen: {count}.</translation>
    </message>
    <message>
      <source>Which?</source>
      <translation>Welche?</translation>
    </message>
  </context>
  <context>
    <name>LivePlot</name>
    <message>
      <source>Reset zoom</source>
      <translation>Alles zeigen</translation>
    </message>
  </context>
  <context>
    <name>MainWindow</name>
    <message>
      <source>Curves, results and runs</source>
      <translation>Kurven, Ergebnis und Läufe</translation>
    </message>
    <message>
      <source>Curves</source>
      <translation>Kurven</translation>
    </message>
    <message>
      <source>Results</source>
      <translation>Ergebnis</translation>
    </message>
    <message>
      <source>Runs</source>
      <translation>Läufe</translation>
    </message>
    <message>
      <source>the run of {when}</source>
      <translation>der Lauf von {when}</translation>
    </message>
    <message>
      <source>Looking through the folder…</source>
      <translation>Der Ordner wird durchgesehen…</translation>
    </message>
    <message>
      <source>&lt;a&gt;{setting}&lt;/a&gt; needs another value</source>
      <translation>&lt;a&gt;{setting}&lt;/a&gt; braucht einen anderen Wert</translation>
    </message>
    <message>
      <source>Choose another folder</source>
      <translation>Anderen Ordner wählen</translation>
    </message>
    <message>
      <source>Use the folder “{name}”</source>
      <translation>Den Ordner „{name}“ nehmen</translation>
    </message>
  </context>
  <context>
    <name>MemoryPlot</name>
    <message>
      <source>Memory</source>
      <translation>Speicher</translation>
    </message>
    <message>
      <source>limit</source>
      <translation>Grenze</translation>
    </message>
    <message>
      <source>Memory of this program</source>
      <translation>Speicher</translation>
    </message>
    <message>
      <source>Memory on the card</source>
      <translation>Speicher der Karte</translation>
    </message>
    <message>
      <source>used</source>
      <translation>benutzt</translation>
    </message>
    <message>
      <source>reserved</source>
      <translation>reserviert</translation>
    </message>
    <message>
      <source>{used} of {total} RAM</source>
      <translation>{used} von {total} RAM</translation>
    </message>
    <message>
      <source>{used} GB RAM</source>
      <translation>{used} GB RAM</translation>
    </message>
    <message>
      <source>used {used}</source>
      <translation>benutzt {used}</translation>
    </message>
    <message>
      <source>reserved {reserved}</source>
      <translation>reserviert {reserved}</translation>
    </message>
    <message>
      <source>{figures} GB</source>
      <translation>{figures} GB</translation>
    </message>
    <message>
      <source>{figures} of {total}</source>
      <translation>{figures} von {total}</translation>
    </message>
  </context>
  <context>
    <name>Menus</name>
    <message>
      <source>Go on with the run's photos</source>
      <translation>Mit den Fotos des Laufs weitermachen</translation>
    </message>
    <message>
      <source>New run with the photos of now</source>
      <translation>Neuer Lauf mit den jetzigen Fotos</translation>
    </message>
    <message>
      <source>Use the smaller network {name}</source>
      <translation>Das kleinere Netz {name} nehmen</translation>
    </message>
    <message>
      <source>&amp;File</source>
      <translation>&amp;Datei</translation>
    </message>
    <message>
      <source>&amp;Edit</source>
      <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
      <source>&amp;Run</source>
      <translation>&amp;Lauf</translation>
    </message>
    <message>
      <source>&amp;View</source>
      <translation>&amp;Ansicht</translation>
    </message>
    <message>
      <source>&amp;Tools</source>
      <translation>&amp;Werkzeuge</translation>
    </message>
    <message>
      <source>&amp;Help</source>
      <translation>&amp;Hilfe</translation>
    </message>
    <message>
      <source>Choose a folder of photos…</source>
      <translation>Ordner mit Fotos wählen…</translation>
    </message>
    <message>
      <source>Recent folders</source>
      <translation>Letzte Ordner</translation>
    </message>
    <message>
      <source>Sample pictures</source>
      <translation>Beispielbilder</translation>
    </message>
    <message>
      <source>Classify photos…</source>
      <translation>Fotos bestimmen…</translation>
    </message>
    <message>
      <source>Classify a folder…</source>
      <translation>Ordner bestimmen…</translation>
    </message>
    <message>
      <source>Open a model…</source>
      <translation>Modell öffnen…</translation>
    </message>
    <message>
      <source>Save model as…</source>
      <translation>Modell speichern unter…</translation>
    </message>
    <message>
      <source>Export for other programs…</source>
      <translation>Für andere Programme exportieren…</translation>
    </message>
    <message>
      <source>Save answers as CSV…</source>
      <translation>Antworten als CSV speichern…</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>Beenden</translation>
    </message>
    <message>
      <source>Paste photos</source>
      <translation>Fotos einfügen</translation>
    </message>
    <message>
      <source>Bring moved photos back</source>
      <translation>Verschobene Fotos zurückholen</translation>
    </message>
    <message>
      <source>Copy answers</source>
      <translation>Antworten kopieren</translation>
    </message>
    <message>
      <source>Train</source>
      <translation>Trainieren</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>Look for devices again</source>
      <translation>Geräte neu suchen</translation>
    </message>
    <message>
      <source>Curves</source>
      <translation>Kurven</translation>
    </message>
    <message>
      <source>Results</source>
      <translation>Ergebnis</translation>
    </message>
    <message>
      <source>Runs</source>
      <translation>Läufe</translation>
    </message>
    <message>
      <source>As the system</source>
      <translation>Wie das System</translation>
    </message>
    <message>
      <source>Light</source>
      <translation>Hell</translation>
    </message>
    <message>
      <source>Dark</source>
      <translation>Dunkel</translation>
    </message>
    <message>
      <source>Compare devices…</source>
      <translation>Geräte vergleichen…</translation>
    </message>
    <message>
      <source>Keys</source>
      <translation>Tasten</translation>
    </message>
    <message>
      <source>This computer</source>
      <translation>Dieser Computer</translation>
    </message>
    <message>
      <source>Open log file</source>
      <translation>Protokolldatei öffnen</translation>
    </message>
    <message>
      <source>Report a problem…</source>
      <translation>Ein Problem melden …</translation>
    </message>
    <message>
      <source>About</source>
      <translation>Über</translation>
    </message>
  </context>
  <context>
    <name>MessageRow</name>
    <message>
      <source>Copy details</source>
      <translation>Einzelheiten kopieren</translation>
    </message>
    <message>
      <source>What to do about it</source>
      <translation>Was man tun kann</translation>
    </message>
  </context>
  <context>
    <name>OfferNote</name>
    <message>
      <source>Go on</source>
      <translation>Weiter</translation>
    </message>
    <message>
      <source>Discard</source>
      <translation>Verwerfen</translation>
    </message>
    <message>
      <source>Show them</source>
      <translation>Zeigen</translation>
    </message>
    <message>
      <source>The answers for {answered} photos of “{name}” ({when}) are still here.</source>
      <translation>Die Antworten zu {answered} Fotos aus „{name}“ ({when}) sind noch da.</translation>
    </message>
    <message>
      <source>The answers for {answered} photos ({when}) are still here.</source>
      <translation>Die Antworten zu {answered} Fotos ({when}) sind noch da.</translation>
    </message>
    <message>
      <source>“{name}” is not done: {answered} of {total} photos are answered ({when}).</source>
      <translation>„{name}“ ist nicht fertig: {answered} von {total} Fotos sind beantwortet ({when}).</translation>
    </message>
    <message>
      <source>Not done: {answered} of {total} photos are answered ({when}).</source>
      <translation>Nicht fertig: {answered} von {total} Fotos sind beantwortet ({when}).</translation>
    </message>
  </context>
  <context>
    <name>OnnxWishes</name>
    <message>
      <source>ONNX files (*.onnx)</source>
      <translation>ONNX-Dateien (*.onnx)</translation>
    </message>
    <message>
      <source>Export the model as</source>
      <translation>Modell exportieren als</translation>
    </message>
  </context>
  <context>
    <name>PoorPanel</name>
    <message>
      <source>Its check photos turned, cropped, tiny, dark, blurred: does it stay careful, or is it surely wrong?</source>
      <translation>Seine Prüffotos gedreht, beschnitten, winzig, dunkel, unscharf: Bleibt es vorsichtig, oder irrt es sich und ist dabei sicher?</translation>
    </message>
    <message>
      <source>Try poor photos</source>
      <translation>Schlechte Fotos prüfen</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>Answers to poor photos</source>
      <translation>Antworten zu schlechten Fotos</translation>
    </message>
    <message>
      <source>Poor photos</source>
      <translation>Schlechte Fotos</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>Noch einmal prüfen</translation>
    </message>
    <message>
      <source>{done} of {total}</source>
      <translation>{done} von {total}</translation>
    </message>
    <message>
      <source>right</source>
      <translation>richtig</translation>
    </message>
    <message>
      <source>sure</source>
      <translation>sicher</translation>
    </message>
    <message>
      <source>sure but wrong</source>
      <translation>sicher, aber falsch</translation>
    </message>
  </context>
  <context>
    <name>PoorWords</name>
    <message>
      <source>{n} of {photos}</source>
      <translation>{n} von {photos}</translation>
    </message>
    <message>
      <source>as they are</source>
      <translation>wie sie sind</translation>
    </message>
    <message>
      <source>turned by {n}°</source>
      <translation>um {n}° gedreht</translation>
    </message>
    <message>
      <source>cropped to {n} %</source>
      <translation>auf {n} % beschnitten</translation>
    </message>
    <message>
      <source>tiny, {n} px</source>
      <translation>winzig, {n} px</translation>
    </message>
    <message>
      <source>dark, {n} % of the light</source>
      <translation>dunkel, {n} % des Lichts</translation>
    </message>
    <message>
      <source>blurred by {n} %</source>
      <translation>unscharf, {n} %</translation>
    </message>
    <message>
      <source>noisy, {n} grey levels</source>
      <translation>verrauscht, {n} Graustufen</translation>
    </message>
    <message>
      <source>JPEG quality {n}</source>
      <translation>JPEG-Qualität {n}</translation>
    </message>
    <message>
      <source>without colour</source>
      <translation>ohne Farbe</translation>
    </message>
  </context>
  <context>
    <name>PredictPanel</name>
    <message>
      <source>Web addresses were left out: this program fetches nothing. Save those pictures first.</source>
      <translation>Internetadressen wurden ausgelassen: Dieses Programm lädt nichts. Speichern Sie diese Bilder zuerst.</translation>
    </message>
    <message>
      <source>That is a web address, and this program fetches nothing. Save the picture, then drop the file, or copy the picture itself and paste it here.</source>
      <translation>Das ist eine Internetadresse, und dieses Programm lädt nichts. Speichern Sie das Bild und ziehen Sie die Datei hierher, oder kopieren Sie das Bild selbst und fügen Sie es hier ein.</translation>
    </message>
    <message>
      <source>There is no photo in that. Drop photo files, folders or a copied picture.</source>
      <translation>Darin ist kein Foto. Ziehen Sie Fotodateien, Ordner oder ein kopiertes Bild hierher.</translation>
    </message>
    <message>
      <source>best so far · epoch {epoch}</source>
      <translation>bisher bestes · Epoche {epoch}</translation>
    </message>
    <message>
      <source>It tells apart: {classes}</source>
      <translation>Es unterscheidet: {classes}</translation>
    </message>
    <message>
      <source>The answers appear here.</source>
      <translation>Hier erscheinen die Antworten.</translation>
    </message>
    <message>
      <source>{count} photos are waiting. The answers appear here.</source>
      <translation>{count} Fotos warten. Die Antworten erscheinen hier.</translation>
    </message>
    <message>
      <source>{count} files and folders were given. Looking for the photos…</source>
      <translation>{count} Dateien und Ordner sind angekommen. Die Fotos werden gesucht …</translation>
    </message>
    <message>
      <source>The answer appears here in a moment.</source>
      <translation>Die Antwort erscheint gleich hier.</translation>
    </message>
    <message>
      <source>A score is no percentage: too few photos were checked for one. Add photos and train again.</source>
      <translation>Der Wert ist keine Prozentzahl: Dafür wurden zu wenige Fotos geprüft. Legen Sie Fotos dazu und trainieren Sie noch einmal.</translation>
    </message>
    <message>
      <source>Open a model…</source>
      <translation>Modell öffnen…</translation>
    </message>
    <message>
      <source>Photos ({patterns});;All files (*)</source>
      <translation>Fotos ({patterns});;Alle Dateien (*)</translation>
    </message>
    <message>
      <source>Choose photos</source>
      <translation>Fotos wählen</translation>
    </message>
    <message>
      <source>Choose a folder of photos</source>
      <translation>Ordner mit Fotos wählen</translation>
    </message>
    <message>
      <source>Try it</source>
      <translation>Ausprobieren</translation>
    </message>
    <message>
      <source>Why this answer?</source>
      <translation>Warum diese Antwort?</translation>
    </message>
    <message>
      <source>Open the photo</source>
      <translation>Foto öffnen</translation>
    </message>
    <message>
      <source>Open its folder</source>
      <translation>Ordner des Fotos öffnen</translation>
    </message>
    <message>
      <source>Paste</source>
      <translation>Einfügen</translation>
    </message>
    <message>
      <source>Choose photos…</source>
      <translation>Fotos wählen…</translation>
    </message>
    <message>
      <source>Choose a folder…</source>
      <translation>Ordner wählen…</translation>
    </message>
    <message>
      <source>Copy the selected answers</source>
      <translation>Gewählte Antworten kopieren</translation>
    </message>
    <message>
      <source>Copy all answers</source>
      <translation>Alle Antworten kopieren</translation>
    </message>
    <message>
      <source>Save or sort…</source>
      <translation>Speichern, sortieren…</translation>
    </message>
    <message>
      <source>Clear</source>
      <translation>Leeren</translation>
    </message>
    <message>
      <source>Folders and photos that could not be opened</source>
      <translation>Ordner und Fotos, die sich nicht öffnen ließen</translation>
    </message>
    <message>
      <source>There is no model to ask yet. Train one, or open a model.</source>
      <translation>Es gibt noch kein Modell, das antworten könnte. Trainieren Sie eins, oder öffnen Sie ein Modell.</translation>
    </message>
    <message>
      <source>Ask this one</source>
      <translation>Dieses fragen</translation>
    </message>
  </context>
  <context>
    <name>ProgressPanel</name>
    <message>
      <source>Progress</source>
      <translation>Fortschritt</translation>
    </message>
    <message>
      <source>Status</source>
      <translation>Stand</translation>
    </message>
    <message>
      <source>Scan</source>
      <translation>Suchen</translation>
    </message>
    <message>
      <source>Prepare</source>
      <translation>Vorbereiten</translation>
    </message>
    <message>
      <source>Check</source>
      <translation>Prüfen</translation>
    </message>
    <message>
      <source>Train · epoch {epoch} of {epochs}</source>
      <translation>Epoche {epoch} von {epochs}</translation>
    </message>
    <message>
      <source>Train</source>
      <translation>Trainieren</translation>
    </message>
    <message>
      <source>{count} photos/s</source>
      <translation>{count} Fotos/s</translation>
    </message>
    <message>
      <source>{time} left</source>
      <translation>noch {time}</translation>
    </message>
    <message>
      <source>{time} left of this step</source>
      <translation>noch {time} für diesen Schritt</translation>
    </message>
    <message>
      <source>Paused. Nothing is computed until you go on.</source>
      <translation>Pausiert. Es wird nichts gerechnet, bis Sie weitermachen.</translation>
    </message>
    <message>
      <source>Finished</source>
      <translation>Fertig</translation>
    </message>
    <message>
      <source>Stopped by you</source>
      <translation>Von Ihnen angehalten</translation>
    </message>
    <message>
      <source>Stopping: the best model so far is being saved.</source>
      <translation>Hält an: Das bisher beste Modell wird gespeichert.</translation>
    </message>
    <message>
      <source>Stopping…</source>
      <translation>Wird angehalten…</translation>
    </message>
    <message>
      <source>Stopping as soon as the program is loaded.</source>
      <translation>Hält an, sobald das Programm geladen ist.</translation>
    </message>
    <message>
      <source>Stopping as soon as the drive has answered about the folder.</source>
      <translation>Hält an, sobald das Laufwerk über den Ordner Auskunft gegeben hat.</translation>
    </message>
    <message>
      <source>Stopping as soon as the step under way is done.</source>
      <translation>Hält an, sobald der laufende Schritt fertig ist.</translation>
    </message>
    <message>
      <source>Stopping as soon as the photos it is working on are done.</source>
      <translation>Hält an, sobald die Fotos fertig sind, an denen es gerade arbeitet.</translation>
    </message>
    <message>
      <source>Then the best model so far is saved.</source>
      <translation>Dann wird das bisher beste Modell gespeichert.</translation>
    </message>
    <message>
      <source>Getting ready…</source>
      <translation>Wird vorbereitet…</translation>
    </message>
    <message>
      <source>Fetching the network's weights: {done} of {total} MB</source>
      <translation>Gewichte des Netzes werden geholt: {done} von {total} MB</translation>
    </message>
    <message>
      <source>Reading photos: {done} of {total}</source>
      <translation>Fotos werden gelesen: {done} von {total}</translation>
    </message>
    <message>
      <source>Looking through the folder: {count} photos</source>
      <translation>Der Ordner wird durchgesehen: {count} Fotos</translation>
    </message>
    <message>
      <source>Saving the model…</source>
      <translation>Das Modell wird gespeichert…</translation>
    </message>
    <message>
      <source>A first look at the photos: {done} of {total}</source>
      <translation>Ein erster Blick auf die Fotos: {done} von {total}</translation>
    </message>
    <message>
      <source>Learning from the photos…</source>
      <translation>Lernt aus den Fotos…</translation>
    </message>
    <message>
      <source>Best so far: {share} of the check photos right, epoch {epoch}</source>
      <translation>Bisher bestes: {share} der Prüffotos richtig, Epoche {epoch}</translation>
    </message>
    <message>
      <source>{how} after {time}, before there was a model to keep.</source>
      <translation>{how} nach {time}, bevor es ein Modell gab.</translation>
    </message>
    <message>
      <source>{how} after {time}. The model is saved.</source>
      <translation>{how} nach {time}. Das Modell ist gespeichert.</translation>
    </message>
  </context>
  <context>
    <name>QuestionDialog</name>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
  </context>
  <context>
    <name>ReadyPage</name>
    <message>
      <source>Not ready to learn yet</source>
      <translation>Noch nicht bereit zum Lernen</translation>
    </message>
    <message>
      <source>What is missing stands beside the folder, under “Photos”.</source>
      <translation>Was fehlt, steht beim Ordner unter „Fotos“.</translation>
    </message>
    <message>
      <source>Ready: press Train</source>
      <translation>Bereit: „Trainieren“ drücken</translation>
    </message>
    <message>
      <source>It learns to tell apart {classes} from {learn} photos. {check} others are kept back to check it.</source>
      <translation>Es lernt aus {learn} Fotos, {classes} zu unterscheiden. {check} weitere werden zum Prüfen zurückgehalten.</translation>
    </message>
  </context>
  <context>
    <name>ResultsPanel</name>
    <message>
      <source>Show the wrong ones</source>
      <translation>Die falschen zeigen</translation>
    </message>
    <message>
      <source>Click a number to see its photos.</source>
      <translation>Ein Klick auf eine Zahl zeigt ihre Fotos.</translation>
    </message>
    <message>
      <source>What happened on the way</source>
      <translation>Was unterwegs geschah</translation>
    </message>
    <message>
      <source>How good the run is</source>
      <translation>Wie gut der Lauf ist</translation>
    </message>
    <message>
      <source>Train a model, and this page says how good it is. Or open an old one from Runs.</source>
      <translation>Trainieren Sie ein Modell, dann steht hier, wie gut es ist. Oder öffnen Sie ein altes unter „Läufe“.</translation>
    </message>
    <message>
      <source>The verdict comes when the run ends. Best so far: {accuracy}, epoch {epoch}.</source>
      <translation>Das Urteil kommt am Ende des Laufs. Bisher bestes: {accuracy}, Epoche {epoch}.</translation>
    </message>
    <message>
      <source>The verdict comes when the run ends.</source>
      <translation>Das Urteil kommt am Ende des Laufs.</translation>
    </message>
    <message>
      <source>Stopped before the first check</source>
      <translation>Vor der ersten Prüfung angehalten</translation>
    </message>
    <message>
      <source>There are no figures yet. Train again and let it reach the end of the first epoch.</source>
      <translation>Es gibt noch keine Zahlen. Trainieren Sie noch einmal bis zum Ende der ersten Epoche.</translation>
    </message>
    <message>
      <source>A model was kept, but nothing is known about how good it is.</source>
      <translation>Ein Modell ist da, aber wie gut es ist, weiß man nicht.</translation>
    </message>
    <message>
      <source>Show the one that is wrong</source>
      <translation>Das eine falsche zeigen</translation>
    </message>
    <message>
      <source>Show the {count} that are wrong</source>
      <translation>Die {count} falschen zeigen</translation>
    </message>
    <message>
      <source>The run failed</source>
      <translation>Der Lauf ist gescheitert</translation>
    </message>
    <message>
      <source>Log loss</source>
      <translation>Log-Verlust</translation>
    </message>
    <message>
      <source>Every class alike</source>
      <translation>Jede Klasse gleich</translation>
    </message>
    <message>
      <source>Time</source>
      <translation>Zeit</translation>
    </message>
    <message>
      <source>Learned from</source>
      <translation>Gelernt aus</translation>
    </message>
    <message>
      <source>{n} photos</source>
      <translation>{n} Fotos</translation>
    </message>
    <message>
      <source>{best} of {epochs}</source>
      <translation>{best} von {epochs}</translation>
    </message>
    <message>
      <source>none of {epochs}: the start</source>
      <translation>keine von {epochs}: der Anfang</translation>
    </message>
    <message>
      <source>Best epoch</source>
      <translation>Beste Epoche</translation>
    </message>
    <message>
      <source>Trained on</source>
      <translation>Trainiert auf</translation>
    </message>
    <message>
      <source>{seconds} s</source>
      <translation>{seconds} s</translation>
    </message>
    <message>
      <source>You stopped the run. The best model so far was kept.</source>
      <translation>Sie haben den Lauf angehalten. Das bis dahin beste Modell ist da.</translation>
    </message>
    <message>
      <source>You stopped the run before there was a model.</source>
      <translation>Sie haben den Lauf angehalten, bevor es ein Modell gab.</translation>
    </message>
    <message>
      <source>… and {count} more</source>
      <translation>… und {count} weitere</translation>
    </message>
  </context>
  <context>
    <name>RunDelegate</name>
    <message>
      <source>New name of the run</source>
      <translation>Neuer Name des Laufs</translation>
    </message>
  </context>
  <context>
    <name>RunListModel</name>
    <message>
      <source>{accuracy} of {n}</source>
      <translation>{accuracy} von {n}</translation>
    </message>
    <message>
      <source>Fast</source>
      <translation>Schnell</translation>
    </message>
    <message>
      <source>Balanced</source>
      <translation>Ausgewogen</translation>
    </message>
    <message>
      <source>Best</source>
      <translation>Am besten</translation>
    </message>
    <message>
      <source>Article</source>
      <translation>Artikel</translation>
    </message>
    <message>
      <source>completed</source>
      <translation>fertig</translation>
    </message>
    <message>
      <source>stopped by you</source>
      <translation>von Ihnen angehalten</translation>
    </message>
    <message>
      <source>failed</source>
      <translation>gescheitert</translation>
    </message>
    <message>
      <source>is training now</source>
      <translation>trainiert gerade</translation>
    </message>
    <message>
      <source>cut off; the best model so far is there</source>
      <translation>abgebrochen; das bis dahin beste Modell ist da</translation>
    </message>
    <message>
      <source>cut off before there was a model</source>
      <translation>abgebrochen, bevor es ein Modell gab</translation>
    </message>
  </context>
  <context>
    <name>RunPlots</name>
    <message>
      <source>train</source>
      <translation>Lernen</translation>
    </message>
    <message>
      <source>check</source>
      <translation>Prüfen</translation>
    </message>
    <message>
      <source>{name} {value}</source>
      <translation>{name} {value}</translation>
    </message>
    <message>
      <source>epoch {epoch}</source>
      <translation>Epoche {epoch}</translation>
    </message>
    <message>
      <source>best so far · epoch {epoch}</source>
      <translation>bisher bestes · Epoche {epoch}</translation>
    </message>
    <message>
      <source>best · epoch {epoch}</source>
      <translation>bestes · Epoche {epoch}</translation>
    </message>
    <message>
      <source>Accuracy</source>
      <translation>Genauigkeit</translation>
    </message>
    <message>
      <source>Loss</source>
      <translation>Verlust</translation>
    </message>
  </context>
  <context>
    <name>RunWishes</name>
    <message>
      <source>Delete the run “{name}”?</source>
      <translation>Den Lauf „{name}“ löschen?</translation>
    </message>
    <message>
      <source>Its settings, curves and model go to the trash. Your photos stay untouched.</source>
      <translation>Seine Einstellungen, Kurven und sein Modell kommen in den Papierkorb. Ihre Fotos bleiben unberührt.</translation>
    </message>
    <message>
      <source>There is no trash for “{name}”. Delete it for good?</source>
      <translation>Für „{name}“ gibt es keinen Papierkorb. Endgültig löschen?</translation>
    </message>
    <message>
      <source>Its settings, curves and model cannot be brought back. Your photos stay untouched.</source>
      <translation>Seine Einstellungen, Kurven und sein Modell sind dann nicht wiederherzustellen. Ihre Fotos bleiben unberührt.</translation>
    </message>
    <message>
      <source>Delete for good</source>
      <translation>Endgültig löschen</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>Löschen</translation>
    </message>
  </context>
  <context>
    <name>RunsPanel</name>
    <message>
      <source>Open</source>
      <translation>Öffnen</translation>
    </message>
    <message>
      <source>Go on</source>
      <translation>Weiter</translation>
    </message>
    <message>
      <source>Export…</source>
      <translation>Exportieren…</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>Umbenennen</translation>
    </message>
    <message>
      <source>Show folder</source>
      <translation>Ordner zeigen</translation>
    </message>
    <message>
      <source>Save model as…</source>
      <translation>Modell speichern unter…</translation>
    </message>
    <message>
      <source>Delete…</source>
      <translation>Löschen …</translation>
    </message>
    <message>
      <source>More</source>
      <translation>Mehr</translation>
    </message>
    <message>
      <source>The run that is under way is listed here once it has ended.</source>
      <translation>Der laufende Lauf steht hier, sobald er zu Ende ist.</translation>
    </message>
    <message>
      <source>The run on screen lies in another place: {place}. Here are the runs of this program's own folder; it has none yet.</source>
      <translation>Der gezeigte Lauf liegt woanders: {place}. Hier stehen die Läufe aus dem eigenen Ordner dieses Programms; noch gibt es dort keine.</translation>
    </message>
    <message>
      <source>Every training is kept here with its settings, curves and model. Press Train to make the first.</source>
      <translation>Jedes Training bleibt hier mit Einstellungen, Kurven und Modell. „Trainieren“ macht das erste.</translation>
    </message>
    <message>
      <source>10 more epochs</source>
      <translation>10 weitere Epochen</translation>
    </message>
  </context>
  <context>
    <name>ScoreDialog</name>
    <message>
      <source>Answers beside the names of the sub-folders</source>
      <translation>Antworten gemessen an den Namen der Unterordner</translation>
    </message>
    <message>
      <source>{accuracy} of {photos} photos right</source>
      <translation>{accuracy} von {photos} Fotos richtig</translation>
    </message>
    <message>
      <source>{count} of them were sure answers, and {right} of those are right.</source>
      <translation>{count} davon waren sichere Antworten, und {right} von diesen sind richtig.</translation>
    </message>
  </context>
  <context>
    <name>ScoreNote</name>
    <message>
      <source>{accuracy} right, judged by the names of the sub-folders.</source>
      <translation>{accuracy} richtig, gemessen an den Namen der Unterordner.</translation>
    </message>
    <message>
      <source>{accuracy} right by the sub-folders, but the model learned from these photos.</source>
      <translation>{accuracy} richtig nach den Unterordnern, aber von diesen Fotos hat das Modell gelernt.</translation>
    </message>
    <message>
      <source>Table</source>
      <translation>Tabelle</translation>
    </message>
  </context>
  <context>
    <name>SpeedChart</name>
    <message>
      <source>Photos a second on each device</source>
      <translation>Fotos je Sekunde auf jedem Gerät</translation>
    </message>
  </context>
  <context>
    <name>TextDialog</name>
    <message>
      <source>Copy</source>
      <translation>Kopieren</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
  </context>
  <context>
    <name>TrainBar</name>
    <message>
      <source>Go on</source>
      <translation>Weiter</translation>
    </message>
    <message>
      <source>Pause</source>
      <translation>Pause</translation>
    </message>
    <message>
      <source>Train again</source>
      <translation>Noch einmal trainieren</translation>
    </message>
    <message>
      <source>Train</source>
      <translation>Trainieren</translation>
    </message>
    <message>
      <source>Stopping…</source>
      <translation>Wird angehalten…</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>Saving what it has learned</source>
      <translation>Das Gelernte wird gespeichert</translation>
    </message>
    <message>
      <source>It has learned nothing yet</source>
      <translation>Es hat noch nichts gelernt</translation>
    </message>
    <message>
      <source>Paused</source>
      <translation>Pausiert</translation>
    </message>
    <message>
      <source>The best model so far is kept</source>
      <translation>Das bisher beste Modell bleibt</translation>
    </message>
    <message>
      <source>Stop keeps the best model</source>
      <translation>Anhalten behält das beste Modell</translation>
    </message>
    <message>
      <source>Last run: {time}, {right} of {n} right</source>
      <translation>Letzter Lauf: {time}, {right} von {n} richtig</translation>
    </message>
    <message>
      <source>Last run: {time}, {share} right</source>
      <translation>Letzter Lauf: {time}, {share} richtig</translation>
    </message>
    <message>
      <source>Everything stays on this computer</source>
      <translation>Alles bleibt auf diesem Computer</translation>
    </message>
  </context>
  <context>
    <name>TrainPanel</name>
    <message>
      <source>Advanced</source>
      <translation>Erweitert</translation>
    </message>
    <message>
      <source>Hide the settings</source>
      <translation>Einstellungen verbergen</translation>
    </message>
    <message>
      <source>Show all settings</source>
      <translation>Alle Einstellungen zeigen</translation>
    </message>
    <message>
      <source>Hardware</source>
      <translation>Gerät</translation>
    </message>
    <message>
      <source>Look for devices again</source>
      <translation>Geräte neu suchen</translation>
    </message>
    <message>
      <source>Compare…</source>
      <translation>Vergleichen…</translation>
    </message>
    <message>
      <source>Compare devices</source>
      <translation>Geräte vergleichen</translation>
    </message>
    <message>
      <source>How fast each device of this computer learns</source>
      <translation>Wie schnell jedes Gerät dieses Computers lernt</translation>
    </message>
    <message>
      <source>Device to train on</source>
      <translation>Gerät zum Trainieren</translation>
    </message>
    <message>
      <source>Quality</source>
      <translation>Güte</translation>
    </message>
    <message>
      <source>Quality: how much work to put in</source>
      <translation>Güte: wie viel Arbeit hineingesteckt wird</translation>
    </message>
    <message>
      <source>Looking for graphics cards…</source>
      <translation>Sucht Grafikkarten…</translation>
    </message>
    <message>
      <source>Tested and working, mixed precision ({formats})</source>
      <translation>Geprüft und in Ordnung, gemischte Genauigkeit ({formats})</translation>
    </message>
    <message>
      <source>Ready, mixed precision ({formats})</source>
      <translation>Bereit, gemischte Genauigkeit ({formats})</translation>
    </message>
    <message>
      <source>Tested and working</source>
      <translation>Geprüft und in Ordnung</translation>
    </message>
    <message>
      <source>No graphics card found</source>
      <translation>Keine Grafikkarte gefunden</translation>
    </message>
    <message>
      <source>With your changes under Advanced.</source>
      <translation>Mit Ihren Änderungen unter „Erweitert“.</translation>
    </message>
    <message>
      <source>{name}: cannot be used</source>
      <translation>{name}: nicht benutzbar</translation>
    </message>
  </context>
  <context>
    <name>TrustWishes</name>
    <message>
      <source>It came without a file, so the model cannot look at it again.</source>
      <translation>Es kam ohne Datei, deshalb kann das Modell es nicht noch einmal ansehen.</translation>
    </message>
  </context>
  <context>
    <name>Verdict</name>
    <message>
      <source>Checked on {n} photos it did not learn from: {accuracy} ({low} to {high}).</source>
      <translation>Geprüft an {n} Fotos, aus denen es nicht gelernt hat: {accuracy} ({low} bis {high}).</translation>
    </message>
    <message>
      <source>Too few photos were checked to know how far its percentages can be trusted.</source>
      <translation>Es wurden zu wenige Fotos geprüft, um zu wissen, wie weit seinen Prozentangaben zu trauen ist.</translation>
    </message>
    <message>
      <source>When it says 90 %, it is right about 90 % of the time, give or take {points} points.</source>
      <translation>Wenn es 90 % sagt, hat es in etwa 90 % der Fälle recht, plus oder minus {points} Prozentpunkte.</translation>
    </message>
    <message>
      <source>Calibration error (ECE): how far, on average over the check photos, the percentage that an answer carries is from the share of such answers that are right.</source>
      <translation>Kalibrierungsfehler (ECE): wie weit im Mittel über die Prüffotos die Prozentangabe einer Antwort von dem Anteil solcher Antworten entfernt ist, die stimmen.</translation>
    </message>
    <message>
      <source>How far its percentages are from the truth: 0 is always right and sure of it; a sure mistake costs most.</source>
      <translation>Wie weit seine Prozentangaben von der Wahrheit entfernt sind: 0 heißt immer richtig und sich dabei sicher; ein sicherer Irrtum zählt am meisten.</translation>
    </message>
    <message>
      <source>Only {n} photos were checked, so this may be luck: of 100 new ones, anything from {low} to {high} may be right. Add photos to every class; from some 250 in all, the figures can be trusted.</source>
      <translation>Nur {n} Fotos wurden geprüft, es kann also Glück sein: Von 100 neuen können {low} bis {high} richtig sein. Legen Sie zu jeder Klasse Fotos dazu; ab etwa 250 insgesamt kann man den Zahlen trauen.</translation>
    </message>
    <message>
      <source>With this few check photos it could still be luck. More photos will tell.</source>
      <translation>Bei so wenigen Prüffotos kann es noch Glück sein. Mehr Fotos zeigen es.</translation>
    </message>
    <message>
      <source>Always answering “{name}” would be right for {share} of these photos. More photos, clearer classes or another quality may help.</source>
      <translation>Immer „{name}“ zu antworten wäre bei {share} dieser Fotos richtig. Mehr Fotos, klarere Klassen oder eine andere Güte können helfen.</translation>
    </message>
    <message>
      <source>The classes are uneven: always answering “{name}” would already be right for {share}. With every class counting the same it is {balanced}.</source>
      <translation>Die Klassen sind ungleich groß: Immer „{name}“ zu antworten wäre schon bei {share} richtig. Zählt jede Klasse gleich, sind es {balanced}.</translation>
    </message>
    <message>
      <source>Stopped before the first check</source>
      <translation>Vor der ersten Prüfung angehalten</translation>
    </message>
    <message>
      <source>Too few photos to judge: {right} of {n} right</source>
      <translation>Zu wenige Fotos für ein Urteil: {right} von {n} richtig</translation>
    </message>
    <message>
      <source>Not learned yet: no better than always “{name}”</source>
      <translation>Noch nichts gelernt: nicht besser als immer „{name}“</translation>
    </message>
    <message>
      <source>Not certain yet: {share}</source>
      <translation>Noch nicht gewiss: {share}</translation>
    </message>
    <message>
      <source>Weak: {share}</source>
      <translation>Schwach: {share}</translation>
    </message>
    <message>
      <source>Fair: {share}</source>
      <translation>Mittel: {share}</translation>
    </message>
    <message>
      <source>Good: {share}</source>
      <translation>Gut: {share}</translation>
    </message>
    <message>
      <source>Very good: {share}</source>
      <translation>Sehr gut: {share}</translation>
    </message>
    <message>
      <source>all {n} check photos right</source>
      <translation>alle {n} Prüffotos richtig</translation>
    </message>
    <message>
      <source>more than 99 of 100 new photos right</source>
      <translation>mehr als 99 von 100 neuen Fotos richtig</translation>
    </message>
    <message>
      <source>about {count} of 100 new photos right</source>
      <translation>etwa {count} von 100 neuen Fotos richtig</translation>
    </message>
    <message>
      <source>One photo is one point.</source>
      <translation>Ein Foto macht einen Prozentpunkt aus.</translation>
    </message>
    <message>
      <source>One photo is half a point.</source>
      <translation>Ein Foto macht einen halben Prozentpunkt aus.</translation>
    </message>
    <message>
      <source>One photo is a quarter point.</source>
      <translation>Ein Foto macht einen viertel Prozentpunkt aus.</translation>
    </message>
    <message>
      <source>One photo is {points} points.</source>
      <translation>Ein Foto macht {points} Prozentpunkte aus.</translation>
    </message>
  </context>
  <context>
    <name>Welcome</name>
    <message>
      <source>Teach your computer to tell photos apart</source>
      <translation>Lehren Sie Ihren Computer, Fotos zu unterscheiden</translation>
    </message>
    <message>
      <source>Give it examples of each class. It learns here; nothing leaves this computer.</source>
      <translation>Geben Sie ihm Beispiele für jede Klasse. Er lernt hier; nichts verlässt diesen Computer.</translation>
    </message>
    <message>
      <source>Choose a folder</source>
      <translation>Ordner wählen</translation>
    </message>
    <message>
      <source>One sub-folder per class, such as cats and dogs</source>
      <translation>Ein Unterordner je Klasse, etwa Katzen und Hunde</translation>
    </message>
    <message>
      <source>Drop it here</source>
      <translation>Hierher ziehen</translation>
    </message>
    <message>
      <source>Or anywhere on the left side of the window</source>
      <translation>Oder irgendwo auf die linke Seite des Fensters</translation>
    </message>
    <message>
      <source>Drawn cats and dogs: a first model in seconds, without photos</source>
      <translation>Gezeichnete Katzen und Hunde: in Sekunden ein erstes Modell, ohne Fotos</translation>
    </message>
    <message>
      <source>Sample pictures</source>
      <translation>Beispielbilder</translation>
    </message>
    <message>
      <source>Recent:</source>
      <translation>Zuletzt:</translation>
    </message>
    <message>
      <source>Drawing {done} of {total}…</source>
      <translation>Zeichnet {done} von {total}…</translation>
    </message>
  </context>
  <context>
    <name>WhyPanel</name>
    <message>
      <source>Why this answer</source>
      <translation>Warum diese Antwort</translation>
    </message>
    <message>
      <source>Show where it looked</source>
      <translation>Zeigen, wohin es sah</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>A picture without a file</source>
      <translation>Ein Bild ohne Datei</translation>
    </message>
    <message>
      <source>The model looks at the photo again…</source>
      <translation>Das Modell sieht sich das Foto noch einmal an…</translation>
    </message>
    <message>
      <source>Orange: what speaks for “{name}”. Blue: what speaks against it.</source>
      <translation>Orange: was für „{name}“ spricht. Blau: was dagegen spricht.</translation>
    </message>
    <message>
      <source>What the model saw</source>
      <translation>Was das Modell sah</translation>
    </message>
    <message>
      <source>This square is all that the model saw of the photo.</source>
      <translation>Dieses Quadrat ist alles, was das Modell vom Foto sah.</translation>
    </message>
    <message>
      <source>Most alike of the photos it was checked with</source>
      <translation>Die ähnlichsten Fotos, mit denen es geprüft wurde</translation>
    </message>
    <message>
      <source>Most alike of the photos it learned from</source>
      <translation>Die ähnlichsten Fotos, von denen es gelernt hat</translation>
    </message>
    <message>
      <source>{name}, {share} alike</source>
      <translation>{name}, zu {share} ähnlich</translation>
    </message>
  </context>
  <context>
    <name>Wishes</name>
    <message>
      <source>Choose a folder with one sub-folder per class</source>
      <translation>Ordner mit einem Unterordner je Klasse wählen</translation>
    </message>
    <message>
      <source>Files that are left out, and why</source>
      <translation>Ausgelassene Dateien und die Gründe</translation>
    </message>
    <message>
      <source>Open this model</source>
      <translation>Dieses Modell öffnen</translation>
    </message>
    <message>
      <source>Learn from these photos</source>
      <translation>Aus diesen Fotos lernen</translation>
    </message>
    <message>
      <source>Say what is on these photos</source>
      <translation>Sagen, was auf diesen Fotos ist</translation>
    </message>
  </context>
  <context>
    <name>_RunListView</name>
    <message>
      <source>Runs</source>
      <translation>Läufe</translation>
    </message>
  </context>
  <context>
    <name>_Table</name>
    <message>
      <source>The figures of each device</source>
      <translation>Die Zahlen jedes Geräts</translation>
    </message>
  </context>
  <context>
    <name>messages</name>
    <message>
      <source>There is no such file: it was moved, renamed or deleted, or its name is another.</source>
      <translation>Diese Datei gibt es nicht: Sie wurde verschoben, umbenannt oder gelöscht, oder sie heißt anders.</translation>
    </message>
    <message>
      <source>You are not allowed to read this file. Change its permissions, then try again.</source>
      <translation>Sie dürfen diese Datei nicht lesen. Ändern Sie ihre Rechte, dann versuchen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>The drive could not read this file ({detail}). Check the drive or its connection.</source>
      <translation>Das Laufwerk konnte diese Datei nicht lesen ({detail}). Prüfen Sie das Laufwerk oder seine Verbindung.</translation>
    </message>
    <message>
      <source>The file is empty (0 bytes). Copy or download it again.</source>
      <translation>Die Datei ist leer (0 Byte). Kopieren oder laden Sie sie noch einmal.</translation>
    </message>
    <message>
      <source>The file holds nothing but zeros: its content was lost. Copy or download it again.</source>
      <translation>Die Datei enthält nur Nullen: Ihr Inhalt ging verloren. Kopieren oder laden Sie sie noch einmal.</translation>
    </message>
    <message>
      <source>The file is too large for a photo ({megabytes} MB).</source>
      <translation>Die Datei ist zu groß für ein Foto ({megabytes} MB).</translation>
    </message>
    <message>
      <source>The photo is not on this computer, only its placeholder. Download it first.</source>
      <translation>Das Foto ist nicht auf diesem Computer, nur sein Platzhalter. Laden Sie es zuerst herunter.</translation>
    </message>
    <message>
      <source>This is not a file but a folder, a pipe or a device.</source>
      <translation>Das ist keine Datei, sondern ein Ordner, eine Pipe oder ein Gerät.</translation>
    </message>
    <message>
      <source>The file ends too early, as after a cut-off download. Download or copy it again.</source>
      <translation>Die Datei endet zu früh, wie nach einem abgebrochenen Download. Laden oder kopieren Sie sie noch einmal.</translation>
    </message>
    <message>
      <source>The file is a damaged {format} photo. Copy or download it again.</source>
      <translation>Die Datei ist ein beschädigtes {format}-Foto. Kopieren oder laden Sie sie noch einmal.</translation>
    </message>
    <message>
      <source>This is a web page, not a photo, although it is named like one.</source>
      <translation>Das ist eine Internetseite, kein Foto, obwohl sie so heißt.</translation>
    </message>
    <message>
      <source>This is a PDF, not a photo. Save its picture as JPEG or PNG.</source>
      <translation>Das ist ein PDF, kein Foto. Speichern Sie sein Bild als JPEG oder PNG.</translation>
    </message>
    <message>
      <source>This is a document, not a photo.</source>
      <translation>Das ist ein Dokument, kein Foto.</translation>
    </message>
    <message>
      <source>This is a video, not a photo. Save a frame of it as JPEG or PNG.</source>
      <translation>Das ist ein Video, kein Foto. Speichern Sie ein Bild daraus als JPEG oder PNG.</translation>
    </message>
    <message>
      <source>This is a sound file, not a photo.</source>
      <translation>Das ist eine Tondatei, kein Foto.</translation>
    </message>
    <message>
      <source>This is text, not a photo.</source>
      <translation>Das ist Text, kein Foto.</translation>
    </message>
    <message>
      <source>This is an archive (zip or the like), not a photo. Unpack it first.</source>
      <translation>Das ist ein Archiv (zip oder ähnlich), kein Foto. Entpacken Sie es zuerst.</translation>
    </message>
    <message>
      <source>This is a program, not a photo.</source>
      <translation>Das ist ein Programm, kein Foto.</translation>
    </message>
    <message>
      <source>This is not a photo in a known format.</source>
      <translation>Das ist kein Foto in einem bekannten Format.</translation>
    </message>
    <message>
      <source>This program cannot read {format} pictures. Save it as JPEG or PNG.</source>
      <translation>{format}-Bilder kann dieses Programm nicht lesen. Speichern Sie es als JPEG oder PNG.</translation>
    </message>
    <message>
      <source>The photo's colours ({mode}) cannot be read. Save it as JPEG or PNG.</source>
      <translation>Die Farben des Fotos ({mode}) sind nicht lesbar. Speichern Sie es als JPEG oder PNG.</translation>
    </message>
    <message>
      <source>This is a HEIC photo. Save it as JPEG, or install “pillow-heif” (the README says how).</source>
      <translation>Das ist ein HEIC-Foto. Speichern Sie es als JPEG, oder installieren Sie „pillow-heif“ (wie, steht in der README).</translation>
    </message>
    <message>
      <source>This is an AVIF photo, which this system cannot read. Save it as JPEG or PNG.</source>
      <translation>Das ist ein AVIF-Foto, das dieses System nicht lesen kann. Speichern Sie es als JPEG oder PNG.</translation>
    </message>
    <message>
      <source>The photo has {megapixels} megapixels; the limit is 89. Save it smaller.</source>
      <translation>Das Foto hat {megapixels} Megapixel; die Grenze ist 89. Speichern Sie es kleiner.</translation>
    </message>
    <message>
      <source>The photo is too narrow to show anything ({width} x {height} pixels).</source>
      <translation>Das Foto ist zu schmal, um etwas zu zeigen ({width} x {height} Pixel).</translation>
    </message>
    <message>
      <source>There was not enough memory to read this photo. Close other programs or save it smaller.</source>
      <translation>Der Speicher reichte nicht, um dieses Foto zu lesen. Schließen Sie andere Programme, oder speichern Sie es kleiner.</translation>
    </message>
    <message>
      <source>The file's name does not end like a photo's (.jpg, .png, ...).</source>
      <translation>Der Name der Datei endet nicht wie der eines Fotos (.jpg, .png, ...).</translation>
    </message>
    <message>
      <source>The link leads to nothing.</source>
      <translation>Die Verknüpfung führt ins Leere.</translation>
    </message>
    <message>
      <source>The model was made by another version of this program. Update this program.</source>
      <translation>Das Modell stammt aus einer anderen Version dieses Programms. Aktualisieren Sie dieses Programm.</translation>
    </message>
    <message>
      <source>There is no folder “{path}”. Check the path.</source>
      <translation>Es gibt keinen Ordner „{path}“. Prüfen Sie den Pfad.</translation>
    </message>
    <message>
      <source>“{path}” is not a folder. Choose a folder with one sub-folder per class.</source>
      <translation>„{path}“ ist kein Ordner. Wählen Sie einen Ordner mit einem Unterordner je Klasse.</translation>
    </message>
    <message>
      <source>“{path}” is an archive. Unpack it, then choose the folder that comes out.</source>
      <translation>„{path}“ ist ein Archiv. Entpacken Sie es, dann wählen Sie den Ordner, der herauskommt.</translation>
    </message>
    <message>
      <source>You are not allowed to read “{path}”. Change its permissions or choose another folder.</source>
      <translation>Sie dürfen „{path}“ nicht lesen. Ändern Sie die Rechte, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
      <source>“{path}” cannot be read ({detail}). Check the drive or its connection.</source>
      <translation>„{path}“ ist nicht lesbar ({detail}). Prüfen Sie das Laufwerk oder seine Verbindung.</translation>
    </message>
    <message>
      <source>There are no photos in this folder. Choose a folder with one sub-folder of photos per class.</source>
      <translation>In diesem Ordner sind keine Fotos. Wählen Sie einen Ordner mit einem Unterordner voller Fotos je Klasse.</translation>
    </message>
    <message>
      <source>At least two classes are needed; found only “{name}”. Add a folder for another class.</source>
      <translation>Mindestens zwei Klassen sind nötig; gefunden wurde nur „{name}“. Legen Sie einen Ordner für eine weitere Klasse an.</translation>
    </message>
    <message>
      <source>“{name}” has only {count} photo; at least {least} are needed to learn and to check. Add more.</source>
      <translation>„{name}“ hat nur {count} Foto; mindestens {least} sind zum Lernen und Prüfen nötig. Legen Sie mehr dazu.</translation>
    </message>
    <message>
      <source>“{name}” has only {count} photos; at least {least} are needed to learn and to check. Add more.</source>
      <translation>„{name}“ hat nur {count} Fotos; mindestens {least} sind zum Lernen und Prüfen nötig. Legen Sie mehr dazu.</translation>
    </message>
    <message>
      <source>“{name}” has photos to check with, but none to learn from. Add some to its train folder.</source>
      <translation>„{name}“ hat Fotos zum Prüfen, aber keine zum Lernen. Legen Sie welche in den Lernordner.</translation>
    </message>
    <message>
      <source>The class folders are one level down. Use the folder “{path}” instead.</source>
      <translation>Die Klassenordner liegen eine Ebene tiefer. Nehmen Sie den Ordner „{path}“.</translation>
    </message>
    <message>
      <source>This looks like the photos of one class. Use the folder above it, “{parent}”.</source>
      <translation>Das sieht nach den Fotos einer Klasse aus. Nehmen Sie den Ordner darüber, „{parent}“.</translation>
    </message>
    <message>
      <source>There are photos here, but no class folders. Make one sub-folder per class.</source>
      <translation>Hier liegen Fotos, aber keine Klassenordner. Legen Sie einen Unterordner je Klasse an.</translation>
    </message>
    <message>
      <source>The photo is in HEIC format. Save it as JPEG, or install “pillow-heif” (the README says how).</source>
      <translation>Das Foto ist im Format HEIC. Speichern Sie es als JPEG, oder installieren Sie „pillow-heif“ (wie, steht in der README).</translation>
    </message>
    <message>
      <source>{count} photos are in HEIC format. Save them as JPEG, or install “pillow-heif” (the README says how).</source>
      <translation>{count} Fotos sind im Format HEIC. Speichern Sie sie als JPEG, oder installieren Sie „pillow-heif“ (wie, steht in der README).</translation>
    </message>
    <message>
      <source>None of the photos could be read. The list of files that were left out says why.</source>
      <translation>Keins der Fotos war lesbar. Die Liste der ausgelassenen Dateien sagt, warum.</translation>
    </message>
    <message>
      <source>“{name}” has too few different photos to keep one back for checking: the rest are copies. Add other photos.</source>
      <translation>„{name}“ hat zu wenige verschiedene Fotos, um eins zum Prüfen zurückzuhalten: Die übrigen sind Kopien. Legen Sie andere Fotos dazu.</translation>
    </message>
    <message>
      <source>“{path}” has no photos of the classes to check with. It needs one sub-folder per class.</source>
      <translation>„{path}“ hat keine Fotos der Klassen zum Prüfen. Der Ordner braucht einen Unterordner je Klasse.</translation>
    </message>
    <message>
      <source>The folders say how to split: {train} to learn from, {val} to check with.</source>
      <translation>Die Ordner sagen, wie geteilt wird: {train} zum Lernen, {val} zum Prüfen.</translation>
    </message>
    <message>
      <source>{names} has no photos and is left out.</source>
      <translation>{names} hat keine Fotos und wird ausgelassen.</translation>
    </message>
    <message>
      <source>{count} folders have no photos and are left out: {names}.</source>
      <translation>{count} Ordner haben keine Fotos und werden ausgelassen: {names}.</translation>
    </message>
    <message>
      <source>No photo of {names} could be read: the class is left out.</source>
      <translation>Kein Foto von {names} war lesbar: Die Klasse wird ausgelassen.</translation>
    </message>
    <message>
      <source>No photo of {count} classes could be read, they are left out: {names}.</source>
      <translation>Von {count} Klassen war kein Foto lesbar, sie werden ausgelassen: {names}.</translation>
    </message>
    <message>
      <source>“{name}” has only {photos} photos. With 20 or more the answers become more trustworthy.</source>
      <translation>„{name}“ hat nur {photos} Fotos. Mit 20 oder mehr werden die Antworten verlässlicher.</translation>
    </message>
    <message>
      <source>{count} classes have fewer than 20 photos, “{name}” the fewest ({photos}). More make better answers.</source>
      <translation>{count} Klassen haben weniger als 20 Fotos, „{name}“ die wenigsten ({photos}). Mehr ergeben bessere Antworten.</translation>
    </message>
    <message>
      <source>“{name}” has {photos} photos, “{other}” only {other_photos}: always answering “{name}” would already be right {percent} % of the time. Add photos of “{other}”.</source>
      <translation>„{name}“ hat {photos} Fotos, „{other}“ nur {other_photos}: Immer „{name}“ zu antworten wäre schon in {percent} % der Fälle richtig. Legen Sie Fotos von „{other}“ dazu.</translation>
    </message>
    <message>
      <source>These class names differ only in case or accents: {names}. Rename or merge them if they are one.</source>
      <translation>Diese Klassennamen unterscheiden sich nur in Großschreibung oder Akzenten: {names}. Benennen Sie sie um oder legen Sie sie zusammen, wenn sie eine sind.</translation>
    </message>
    <message>
      <source>{names} has no photos to check with: how well it is recognised stays unknown.</source>
      <translation>{names} hat keine Prüffotos: Wie gut das erkannt wird, bleibt unbekannt.</translation>
    </message>
    <message>
      <source>{count} classes have no photos to check with: {names}. How well they are recognised stays unknown.</source>
      <translation>{count} Klassen haben keine Prüffotos: {names}. Wie gut sie erkannt werden, bleibt unbekannt.</translation>
    </message>
    <message>
      <source>{names} is only in the check folder and is left out: there is nothing to learn it from.</source>
      <translation>{names} ist nur im Prüfordner und wird ausgelassen: Es gibt nichts, woraus sich das lernen ließe.</translation>
    </message>
    <message>
      <source>{count} classes are only in the check folder and are left out: {names}.</source>
      <translation>{count} Klassen sind nur im Prüfordner und werden ausgelassen: {names}.</translation>
    </message>
    <message>
      <source>{count} photo is an exact copy of another. Copies stay on one side of the split.</source>
      <translation>{count} Foto ist die genaue Kopie eines anderen. Kopien bleiben auf einer Seite der Aufteilung.</translation>
    </message>
    <message>
      <source>{count} photos are exact copies of others. Copies stay on one side of the split.</source>
      <translation>{count} Fotos sind genaue Kopien anderer. Kopien bleiben auf einer Seite der Aufteilung.</translation>
    </message>
    <message>
      <source>{count} photo is a re-saved copy of another, “{path}” for one.</source>
      <translation>{count} Foto ist die neu gespeicherte Kopie eines anderen, so „{path}“.</translation>
    </message>
    <message>
      <source>{count} photos are re-saved copies of others, “{path}” for one.</source>
      <translation>{count} Fotos sind neu gespeicherte Kopien anderer, so „{path}“.</translation>
    </message>
    <message>
      <source>{count} photo is in two classes and is left out: “{path}” and “{other}” are the same.</source>
      <translation>{count} Foto ist in zwei Klassen und wird ausgelassen: „{path}“ und „{other}“ sind dasselbe.</translation>
    </message>
    <message>
      <source>{count} photos are in two classes and are left out: “{path}” and “{other}” are the same, for one.</source>
      <translation>{count} Fotos sind in zwei Klassen und werden ausgelassen: So sind „{path}“ und „{other}“ dasselbe.</translation>
    </message>
    <message>
      <source>{count} check photo is also a training photo; it is left out of the check (“{path}”).</source>
      <translation>{count} Prüffoto ist auch ein Lernfoto; es wird beim Prüfen ausgelassen („{path}“).</translation>
    </message>
    <message>
      <source>{count} check photos are also training photos; they are left out of the check (“{path}” for one).</source>
      <translation>{count} Prüffotos sind auch Lernfotos; sie werden beim Prüfen ausgelassen (so „{path}“).</translation>
    </message>
    <message>
      <source>{count} check photo is a re-saved copy of a training photo (“{path}”); it is left out of the check.</source>
      <translation>{count} Prüffoto ist die neu gespeicherte Kopie eines Lernfotos („{path}“); es wird beim Prüfen ausgelassen.</translation>
    </message>
    <message>
      <source>{count} check photos are re-saved copies of training photos (“{path}”); they are left out of the check.</source>
      <translation>{count} Prüffotos sind neu gespeicherte Kopien von Lernfotos („{path}“); sie werden beim Prüfen ausgelassen.</translation>
    </message>
    <message>
      <source>All check photos are copies of training photos, so they prove nothing. The program keeps other photos back.</source>
      <translation>Alle Prüffotos sind Kopien von Lernfotos und beweisen darum nichts. Das Programm hält andere Fotos zurück.</translation>
    </message>
    <message>
      <source>The photo lies beside the class folders, so its class is not known. Move it into one.</source>
      <translation>Das Foto liegt neben den Klassenordnern, darum ist seine Klasse nicht bekannt. Legen Sie es in einen.</translation>
    </message>
    <message>
      <source>This folder ({count} photo) is neither the train nor the check side.</source>
      <translation>Dieser Ordner ({count} Foto) ist weder die Lern- noch die Prüfseite.</translation>
    </message>
    <message>
      <source>This folder ({count} photos) is neither the train nor the check side.</source>
      <translation>Dieser Ordner ({count} Fotos) ist weder die Lern- noch die Prüfseite.</translation>
    </message>
    <message>
      <source>This class ({count} photo) is only in the check folder: there is nothing to learn it from.</source>
      <translation>Diese Klasse ({count} Foto) ist nur im Prüfordner: Es gibt nichts, woraus sie sich lernen ließe.</translation>
    </message>
    <message>
      <source>This class ({count} photos) is only in the check folder: there is nothing to learn it from.</source>
      <translation>Diese Klasse ({count} Fotos) ist nur im Prüfordner: Es gibt nichts, woraus sie sich lernen ließe.</translation>
    </message>
    <message>
      <source>The link leads to a folder that is already counted, or back to where it comes from.</source>
      <translation>Die Verknüpfung führt zu einem Ordner, der schon gezählt ist, oder dahin zurück, wo sie herkommt.</translation>
    </message>
    <message>
      <source>You are not allowed to open this folder. Change its permissions.</source>
      <translation>Sie dürfen diesen Ordner nicht öffnen. Ändern Sie seine Rechte.</translation>
    </message>
    <message>
      <source>The drive could not open this folder. Check the drive or its connection.</source>
      <translation>Das Laufwerk konnte diesen Ordner nicht öffnen. Prüfen Sie das Laufwerk oder seine Verbindung.</translation>
    </message>
    <message>
      <source>{name} cannot be used: the installed PyTorch was built without CUDA.</source>
      <translation>{name} ist nicht benutzbar: Das installierte PyTorch wurde ohne CUDA gebaut.</translation>
    </message>
    <message>
      <source>{name} cannot be used: no NVIDIA driver runs it.</source>
      <translation>{name} ist nicht benutzbar: Kein NVIDIA-Treiber betreibt sie.</translation>
    </message>
    <message>
      <source>{name} cannot be used: its driver {driver} is too old for this PyTorch (CUDA {cuda}).</source>
      <translation>{name} ist nicht benutzbar: Ihr Treiber {driver} ist zu alt für dieses PyTorch (CUDA {cuda}).</translation>
    </message>
    <message>
      <source>{name} cannot be used: it has compute capability {capability}, and this PyTorch was built for {built_for}.</source>
      <translation>{name} ist nicht benutzbar: Sie hat die Compute Capability {capability}, und dieses PyTorch wurde für {built_for} gebaut.</translation>
    </message>
    <message>
      <source>{name} cannot be used: this PyTorch holds no code that runs on it.</source>
      <translation>{name} ist nicht benutzbar: Dieses PyTorch enthält keinen Code, der darauf läuft.</translation>
    </message>
    <message>
      <source>{name} has too little free memory even for a small test.</source>
      <translation>{name} hat selbst für einen kleinen Test zu wenig freien Speicher.</translation>
    </message>
    <message>
      <source>{name} is hidden from this program: {variable} is set to “{value}”.</source>
      <translation>{name} ist vor diesem Programm verborgen: {variable} steht auf „{value}“.</translation>
    </message>
    <message>
      <source>{name} failed its self-test: {text}</source>
      <translation>{name} hat den Selbsttest nicht bestanden: {text}</translation>
    </message>
    <message>
      <source>{device} stopped working ({reason}). The best model so far is kept. Start this program again to use it; the CPU can be chosen at once.</source>
      <translation>{device} arbeitet nicht mehr ({reason}). Das bisher beste Modell bleibt erhalten. Starten Sie dieses Programm neu, um es wieder zu nutzen; die CPU können Sie sofort wählen.</translation>
    </message>
    <message>
      <source>{device} is gone ({reason}): it was removed, or its driver was changed or fell asleep. The best model so far is kept. Choose another device, or start this program again.</source>
      <translation>{device} ist weg ({reason}): Es wurde entfernt, oder sein Treiber wurde gewechselt oder ist eingeschlafen. Das bisher beste Modell bleibt erhalten. Wählen Sie ein anderes Gerät oder starten Sie dieses Programm neu.</translation>
    </message>
    <message>
      <source>Close this program, then run: {command}</source>
      <translation>Schließen Sie dieses Programm, dann führen Sie aus: {command}</translation>
    </message>
    <message>
      <source>Update the NVIDIA driver to version {needed} or newer, then close this program and run: {command}</source>
      <translation>Bringen Sie den NVIDIA-Treiber auf Version {needed} oder neuer, dann schließen Sie dieses Programm und führen aus: {command}</translation>
    </message>
    <message>
      <source>Install the NVIDIA driver for this card, restart the computer, then look again.</source>
      <translation>Installieren Sie den NVIDIA-Treiber für diese Karte, starten Sie den Computer neu, und suchen Sie noch einmal.</translation>
    </message>
    <message>
      <source>Update the NVIDIA driver to version {needed} or newer, then restart the computer.</source>
      <translation>Bringen Sie den NVIDIA-Treiber auf Version {needed} oder neuer, und starten Sie den Computer neu.</translation>
    </message>
    <message>
      <source>Compute on the processor: no current PyTorch supports this card.</source>
      <translation>Rechnen Sie auf dem Prozessor: Kein heutiges PyTorch unterstützt diese Karte.</translation>
    </message>
    <message>
      <source>Close other programs that use the card, then look again.</source>
      <translation>Schließen Sie andere Programme, die die Karte benutzen, und suchen Sie noch einmal.</translation>
    </message>
    <message>
      <source>Remove {variable} from your settings and start this program again.</source>
      <translation>Entfernen Sie {variable} aus Ihren Einstellungen, und starten Sie dieses Programm noch einmal.</translation>
    </message>
    <message>
      <source>Start this program again; if that does not help, restart the computer. Until then use the CPU.</source>
      <translation>Starten Sie dieses Programm noch einmal; hilft das nicht, den Computer. Nehmen Sie bis dahin die CPU.</translation>
    </message>
    <message>
      <source>This PyTorch can use NVIDIA cards (CUDA {cuda}), but no NVIDIA driver was found.</source>
      <translation>Dieses PyTorch kann NVIDIA-Karten benutzen (CUDA {cuda}), aber ein NVIDIA-Treiber wurde nicht gefunden.</translation>
    </message>
    <message>
      <source>If there is an NVIDIA card in this computer, install its driver.</source>
      <translation>Wenn in diesem Computer eine NVIDIA-Karte steckt, installieren Sie ihren Treiber.</translation>
    </message>
    <message>
      <source>There is no device called “{device}”. Choose auto, cpu, cuda, cuda:0, cuda:1, … or mps.</source>
      <translation>Ein Gerät „{device}“ gibt es nicht. Wählen Sie auto, cpu, cuda, cuda:0, cuda:1, … oder mps.</translation>
    </message>
    <message>
      <source>This computer has none.</source>
      <translation>Dieser Computer hat keins.</translation>
    </message>
    <message>
      <source>The device “{device}” cannot be used. {reason} {next_step}</source>
      <translation>Das Gerät „{device}“ ist nicht benutzbar. {reason} {next_step}</translation>
    </message>
    <message>
      <source>Choose one of: {available}.</source>
      <translation>Wählen Sie eins von diesen: {available}.</translation>
    </message>
    <message>
      <source>{name} does not compute in {precision}. Choose auto or one of: {available}.</source>
      <translation>{name} rechnet nicht in {precision}. Wählen Sie auto oder eins von diesen: {available}.</translation>
    </message>
    <message>
      <source>No NVIDIA card was found in this computer.</source>
      <translation>In diesem Computer wurde keine NVIDIA-Karte gefunden.</translation>
    </message>
    <message>
      <source>No NVIDIA card was found in this computer, and the installed PyTorch was built without CUDA.</source>
      <translation>In diesem Computer wurde keine NVIDIA-Karte gefunden, und das installierte PyTorch wurde ohne CUDA gebaut.</translation>
    </message>
    <message>
      <source>No NVIDIA driver was found. If there is a card in this computer, install its driver.</source>
      <translation>Es wurde kein NVIDIA-Treiber gefunden. Wenn in diesem Computer eine Karte steckt, installieren Sie ihren Treiber.</translation>
    </message>
    <message>
      <source>Only Apple's own processors have it.</source>
      <translation>Das haben nur Apples eigene Prozessoren.</translation>
    </message>
    <message>
      <source>The installed PyTorch cannot use this computer's Apple graphics.</source>
      <translation>Das installierte PyTorch kann die Apple-Grafik dieses Computers nicht benutzen.</translation>
    </message>
    <message>
      <source>{name} has no instructions for bf16; imitating them would be slower than fp32.</source>
      <translation>{name} hat keine Befehle für bf16; sie nachzuahmen wäre langsamer als fp32.</translation>
    </message>
    <message>
      <source>{name} passed its self-test in fp32 only.</source>
      <translation>{name} hat den Selbsttest nur in fp32 bestanden.</translation>
    </message>
    <message>
      <source>{name} has too little free memory for {photos} photos a step.</source>
      <translation>{name} hat zu wenig freien Speicher für {photos} Fotos je Schritt.</translation>
    </message>
    <message>
      <source>{name} failed while it was measured: {text}</source>
      <translation>{name} versagte beim Messen: {text}</translation>
    </message>
    <message>
      <source>“{value}” cannot be used for the setting {field}.</source>
      <translation>„{value}“ ist für die Einstellung „{field}“ nicht möglich.</translation>
    </message>
    <message>
      <source>The setting {field} is {value}; it must be between {low:,} and {high:,}.</source>
      <translation>Die Einstellung {field} ist {value}; sie muss zwischen {low:,} und {high:,} liegen.</translation>
    </message>
    <message>
      <source>The setting {field} is “{value}”; choose one of: {choices}.</source>
      <translation>Die Einstellung „{field}“ ist „{value}“; wählen Sie eins von diesen: {choices}.</translation>
    </message>
    <message>
      <source>No photo folder was chosen. Choose one with a sub-folder for each class.</source>
      <translation>Es wurde kein Ordner mit Fotos gewählt. Wählen Sie einen mit einem Unterordner je Klasse.</translation>
    </message>
    <message>
      <source>The folder to check with is the photo folder itself. Leave it out: a part of the photos is kept back.</source>
      <translation>Der Ordner zum Prüfen ist der Fotoordner selbst. Lassen Sie ihn weg: ein Teil der Fotos wird zurückbehalten.</translation>
    </message>
    <message>
      <source>There are no pretrained weights for {model}. Switch “pretrained” off, or choose another network.</source>
      <translation>Für {model} gibt es keine vortrainierten Gewichte. Schalten Sie „Vortrainiert“ aus, oder wählen Sie ein anderes Netz.</translation>
    </message>
    <message>
      <source>There is no network called “{name}”. Choose one of: {known}.</source>
      <translation>Ein Netz „{name}“ gibt es nicht. Wählen Sie eins von diesen: {known}.</translation>
    </message>
    <message>
      <source>{path} is no settings file: it must hold one JSON object, as a run's config.json.</source>
      <translation>{path} ist keine Datei mit Einstellungen: Sie muss ein JSON-Objekt enthalten wie die config.json eines Laufs.</translation>
    </message>
    <message>
      <source>Stopped.</source>
      <translation>Angehalten.</translation>
    </message>
    <message>
      <source>The run folder {run} is not empty. Name a new folder: runs are never overwritten.</source>
      <translation>Der Ordner des Laufs {run} ist nicht leer. Nennen Sie einen neuen: Läufe werden nie überschrieben.</translation>
    </message>
    <message>
      <source>The run folder {run} lies inside the photo folder {photos}, which is never written to.</source>
      <translation>Der Ordner des Laufs {run} liegt im Fotoordner {photos}, in den nie geschrieben wird.</translation>
    </message>
    <message>
      <source>Another program is writing the run {run}. Wait until it has ended.</source>
      <translation>Ein anderes Programm schreibt den Lauf {run}. Warten Sie, bis es fertig ist.</translation>
    </message>
    <message>
      <source>{run} does not lie among this program's runs, so it is not deleted. Delete the folder yourself.</source>
      <translation>{run} liegt nicht bei den Läufen dieses Programms und wird deshalb nicht gelöscht. Löschen Sie den Ordner selbst.</translation>
    </message>
    <message>
      <source>There is no run “{name}”. `catdog runs` lists them.</source>
      <translation>Es gibt keinen Lauf „{name}“. `catdog runs` listet sie auf.</translation>
    </message>
    <message>
      <source>Several runs are called “{name}”. Name one of the folders: {folders}.</source>
      <translation>Mehrere Läufe heißen „{name}“. Nennen Sie einen der Ordner: {folders}.</translation>
    </message>
    <message>
      <source>Nothing was deleted. To delete the run {run} with its model for good, add --yes.</source>
      <translation>Es wurde nichts gelöscht. Um den Lauf {run} samt Modell endgültig zu löschen, geben Sie zusätzlich --yes an.</translation>
    </message>
    <message>
      <source>{path} is not a run of this program.</source>
      <translation>{path} ist kein Lauf dieses Programms.</translation>
    </message>
    <message>
      <source>The settings of the run {path} are damaged, so nothing can be trained from it. Put its config.json back from a copy, or train again with the same photos. A model that the run saved still answers.</source>
      <translation>Die Einstellungen des Laufs {path} sind beschädigt, deshalb lässt sich daraus nicht weiter trainieren. Spielen Sie seine config.json aus einer Kopie zurück oder trainieren Sie mit denselben Fotos neu. Ein Modell, das der Lauf gespeichert hat, antwortet weiterhin.</translation>
    </message>
    <message>
      <source>The run {path} has settings that this version cannot use: “{setting}” in its config.json is damaged or of a newer version. Update the program, put the file back from a copy, or train again with the same photos.</source>
      <translation>Der Lauf {path} hat Einstellungen, mit denen diese Version nichts anfangen kann: „{setting}“ in seiner config.json ist beschädigt oder stammt von einer neueren Version. Aktualisieren Sie das Programm, spielen Sie die Datei aus einer Kopie zurück oder trainieren Sie mit denselben Fotos neu.</translation>
    </message>
    <message>
      <source>The run {path} has no model: it was ended before one was saved.</source>
      <translation>Der Lauf {path} hat kein Modell: Er endete, bevor eins gespeichert war.</translation>
    </message>
    <message>
      <source>The program met a fault of its own ({reason}). Please copy the details and report it.</source>
      <translation>Das Programm ist auf einen eigenen Fehler gestoßen ({reason}). Bitte kopieren Sie die Einzelheiten, und melden Sie ihn.</translation>
    </message>
    <message>
      <source>A package that the program needs is missing: {names}. Install it with: {command}</source>
      <translation>Ein Paket, das das Programm braucht, fehlt: {names}. Installieren Sie es mit: {command}</translation>
    </message>
    <message>
      <source>Packages that the program needs are missing: {names}. Install them with: {command}</source>
      <translation>Pakete, die das Programm braucht, fehlen: {names}. Installieren Sie sie mit: {command}</translation>
    </message>
    <message>
      <source>Nobody reads the output any more, so the work was ended.</source>
      <translation>Niemand liest die Ausgabe mehr, darum wurde die Arbeit beendet.</translation>
    </message>
    <message>
      <source>The disk is full: {path} needs {needed_mb:.1f} MB, {free_mb:.1f} MB are free. Make room, or choose a place on another disk (for runs, CATDOG_HOME names one).</source>
      <translation>Der Datenträger ist voll: {path} braucht {needed_mb:.1f} MB, {free_mb:.1f} MB sind frei. Schaffen Sie Platz, oder wählen Sie einen Ort auf einem anderen Datenträger (für Läufe nennt ihn CATDOG_HOME).</translation>
    </message>
    <message>
      <source>{path} cannot be written: {reason}. Choose another place (for runs, CATDOG_HOME names one).</source>
      <translation>{path} kann nicht geschrieben werden: {reason}. Wählen Sie einen anderen Ort (für Läufe nennt ihn CATDOG_HOME).</translation>
    </message>
    <message>
      <source>{path} cannot be read: {reason}.</source>
      <translation>{path} kann nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
      <source>The pretrained weights of {model} could not be downloaded ({reason}). Go online and try again, or choose EfficientNet-Lite0, whose weights come with the program.</source>
      <translation>Die vortrainierten Gewichte von {model} konnten nicht geladen werden ({reason}). Gehen Sie online und versuchen Sie es noch einmal, oder wählen Sie EfficientNet-Lite0, dessen Gewichte beim Programm sind.</translation>
    </message>
    <message>
      <source>The downloaded weights of {model} arrived damaged and were thrown away. Try again.</source>
      <translation>Die geladenen Gewichte von {model} kamen beschädigt an und wurden verworfen. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>The model was not saved: some of its weights are not numbers ({name}).</source>
      <translation>Das Modell wurde nicht gespeichert: Einige seiner Gewichte sind keine Zahlen ({name}).</translation>
    </message>
    <message>
      <source>The only photo could not be read: {reason}</source>
      <translation>Das einzige Foto war nicht lesbar: {reason}</translation>
    </message>
    <message>
      <source>None of the {count:,} photos could be read. The first one: {reason}</source>
      <translation>Keins der {count:,} Fotos war lesbar. Das erste: {reason}</translation>
    </message>
    <message>
      <source>No photo could be read any more. Check that the folder is still there.</source>
      <translation>Kein Foto war mehr lesbar. Prüfen Sie, ob der Ordner noch da ist.</translation>
    </message>
    <message>
      <source>Learning got out of hand: the loss is not a number any more. Try a lower learning rate.</source>
      <translation>Das Lernen ist entglitten: Der Verlust ist keine Zahl mehr. Versuchen Sie eine kleinere Lernrate.</translation>
    </message>
    <message>
      <source>Learning got out of hand in epoch {epoch}: the loss is not a number any more. Try a learning rate below {rate:g}.</source>
      <translation>Das Lernen ist in Epoche {epoch} entglitten: Der Verlust ist keine Zahl mehr. Versuchen Sie eine Lernrate unter {rate:g}.</translation>
    </message>
    <message>
      <source>{device} has too little memory for {model} with {batch_size} photos a step, even one photo at a time. Choose a smaller network or image size.</source>
      <translation>{device} hat zu wenig Speicher für {model} mit {batch_size} Fotos je Schritt, selbst Foto für Foto. Wählen Sie ein kleineres Netz oder eine kleinere Bildgröße.</translation>
    </message>
    <message>
      <source>The photos are not those the run began with: {what} ({names}). Go on with the photos of the run, start a new run from its checkpoint with the photos there are now, or put them back.</source>
      <translation>Die Fotos sind nicht mehr die, mit denen der Lauf begann: {what} ({names}). Machen Sie mit den Fotos des Laufs weiter, beginnen Sie von seinem Zwischenstand aus einen neuen Lauf mit den jetzigen Fotos, oder legen Sie sie zurück.</translation>
    </message>
    <message>
      <source>{count:,} new</source>
      <translation>{count:,} neu</translation>
    </message>
    <message>
      <source>{count:,} gone</source>
      <translation>{count:,} fehlt</translation>
    </message>
    <message>
      <source>{count:,} renamed</source>
      <translation>{count:,} umbenannt</translation>
    </message>
    <message>
      <source>{count:,} in another class</source>
      <translation>{count:,} in einer anderen Klasse</translation>
    </message>
    <message>
      <source>{count:,} changed</source>
      <translation>{count:,} verändert</translation>
    </message>
    <message>
      <source>The run knows {known}; the photo folder now has {added} too. Go on without what is new, or start a new run from its checkpoint that learns {added} as well.</source>
      <translation>Der Lauf kennt {known}; im Fotoordner gibt es jetzt auch {added}. Machen Sie ohne das Neue weiter, oder beginnen Sie von seinem Zwischenstand aus einen neuen Lauf, der {added} mitlernt.</translation>
    </message>
    <message>
      <source>The run cannot go on: a class or a side of it has no photos left ({what}: {names}). Put them back, or start a new run from its checkpoint.</source>
      <translation>Der Lauf kann nicht weitergehen: Einer Klasse oder einer Seite sind die Fotos ausgegangen ({what}: {names}). Legen Sie sie zurück, oder beginnen Sie von seinem Zwischenstand aus einen neuen Lauf.</translation>
    </message>
    <message>
      <source>A run goes on with its own settings: give nothing but --resume RUN (and --changed).</source>
      <translation>Ein Lauf geht mit seinen eigenen Einstellungen weiter: Geben Sie nur --resume RUN an (und --changed).</translation>
    </message>
    <message>
      <source>--changed says what to do with --resume RUN; give that too.</source>
      <translation>--changed sagt, was mit --resume RUN geschehen soll; geben Sie auch das an.</translation>
    </message>
    <message>
      <source>{run} cannot go on: its list of photos is gone or damaged. Start a new run from it.</source>
      <translation>{run} kann nicht weitergehen: Seine Liste der Fotos fehlt oder ist beschädigt. Beginnen Sie von ihm aus einen neuen Lauf.</translation>
    </message>
    <message>
      <source>{run} has no checkpoint to start from. Train it again.</source>
      <translation>{run} hat keinen Zwischenstand, von dem aus man beginnen könnte. Trainieren Sie noch einmal.</translation>
    </message>
    <message>
      <source>{run} cannot go on: both of its checkpoints are damaged. Train it again.</source>
      <translation>{run} kann nicht weitergehen: Beide Zwischenstände sind beschädigt. Trainieren Sie noch einmal.</translation>
    </message>
    <message>
      <source>A run from {run} needs the same {setting} ({was}). Leave that setting as it was.</source>
      <translation>Ein Lauf von {run} aus braucht dieselbe Einstellung {setting} ({was}). Lassen Sie sie, wie sie war.</translation>
    </message>
    <message>
      <source>Came after the run began.</source>
      <translation>Kam erst nach dem Beginn des Laufs dazu.</translation>
    </message>
    <message>
      <source>The run goes on in epoch {epoch}, after step {step}.</source>
      <translation>Der Lauf geht in Epoche {epoch} weiter, nach Schritt {step}.</translation>
    </message>
    <message>
      <source>There is no checkpoint yet, so the run begins anew.</source>
      <translation>Es gibt noch keinen Zwischenstand, also beginnt der Lauf von vorn.</translation>
    </message>
    <message>
      <source>Not everything is as it was ({what}): the result may differ in its last digits.</source>
      <translation>Nicht alles ist wie zuvor ({what}): Das Ergebnis kann in den letzten Ziffern abweichen.</translation>
    </message>
    <message>
      <source>The newest checkpoint is damaged; the run goes on from the one before.</source>
      <translation>Der neueste Zwischenstand ist beschädigt; der Lauf geht von dem davor aus weiter.</translation>
    </message>
    <message>
      <source>{path} has not come for a minute: its drive may be asleep or disconnected. The work waits for it, and can be stopped meanwhile.</source>
      <translation>{path} ist seit einer Minute nicht gekommen: Der Datenträger schläft vielleicht oder ist getrennt. Die Arbeit wartet darauf und lässt sich solange anhalten.</translation>
    </message>
    <message>
      <source>{count} of {total} photos cannot be read any more ({reason}), so the run was stopped. Its checkpoint is kept: bring the photos or their drive back, then go on with it.</source>
      <translation>{count} von {total} Fotos sind nicht mehr zu lesen ({reason}), darum wurde der Lauf angehalten. Sein Zwischenstand ist gesichert: Bringen Sie die Fotos oder ihr Laufwerk zurück, und setzen Sie den Lauf dann fort.</translation>
    </message>
    <message>
      <source>The checkpoint could not be written, the one before is kept: {reason}</source>
      <translation>Der Zwischenstand konnte nicht geschrieben werden, der vorige bleibt: {reason}</translation>
    </message>
    <message>
      <source>The photos have changed ({what}: {names}); the run goes on with its own.</source>
      <translation>Die Fotos haben sich geändert ({what}: {names}); der Lauf geht mit seinen eigenen weiter.</translation>
    </message>
    <message>
      <source>Starts from a run of one epoch.</source>
      <translation>Beginnt vom Ende eines Laufs mit einer Epoche.</translation>
    </message>
    <message>
      <source>Starts from a run of {count:,} epochs.</source>
      <translation>Beginnt vom Ende eines Laufs mit {count:,} Epochen.</translation>
    </message>
    <message>
      <source>Memory ran out: what was not needed any more is given back, and the same is tried again.</source>
      <translation>Der Speicher reichte nicht: Was nicht mehr gebraucht wird, ist zurückgegeben, und es wird noch einmal versucht.</translation>
    </message>
    <message>
      <source>Memory ran out: each step of {batch_size} photos is now computed in parts of {part}. The network takes its statistics from the parts, so the result differs a little.</source>
      <translation>Der Speicher reichte nicht: Jeder Schritt mit {batch_size} Fotos wird jetzt in Teilen zu {part} gerechnet. Das Netz nimmt seine Statistik aus den Teilen, deshalb weicht das Ergebnis ein wenig ab.</translation>
    </message>
    <message>
      <source>Memory ran out: activations are now computed twice instead of kept. Slower, same result.</source>
      <translation>Der Speicher reichte nicht: Zwischenergebnisse werden jetzt zweimal gerechnet statt behalten. Langsamer, gleiches Ergebnis.</translation>
    </message>
    <message>
      <source>Memory ran out: the run goes on in {precision}.</source>
      <translation>Der Speicher reichte nicht: Der Lauf geht in {precision} weiter.</translation>
    </message>
    <message>
      <source>Memory ran out: each step of {batch_size} photos is now computed in parts of {part}. The result stays the same.</source>
      <translation>Der Speicher reichte nicht: Jeder Schritt mit {batch_size} Fotos wird jetzt in Teilen zu {part} gerechnet. Das Ergebnis bleibt gleich.</translation>
    </message>
    <message>
      <source>There are only {photos} photos to learn from, so a step takes {batch_size}.</source>
      <translation>Es gibt nur {photos} Fotos zum Lernen, darum nimmt ein Schritt {batch_size}.</translation>
    </message>
    <message>
      <source>This network learns from the differences in a step, so a step takes {batch_size} photos.</source>
      <translation>Dieses Netz lernt aus den Unterschieden in einem Schritt, darum nimmt ein Schritt {batch_size} Fotos.</translation>
    </message>
    <message>
      <source>The loss was not a number in {precision}; the run goes on in full precision (fp32).</source>
      <translation>Der Verlust war in {precision} keine Zahl; der Lauf geht in voller Genauigkeit weiter (fp32).</translation>
    </message>
    <message>
      <source>Page-locked memory is not to be had ({reason}); the run goes on without it.</source>
      <translation>Fester Speicher ist nicht zu haben ({reason}); der Lauf geht ohne ihn weiter.</translation>
    </message>
    <message>
      <source>The disk has no room for {count} varied versions of each photo ({needed_gb:.1f} GB); the run learns from the photos as they are. Make room, or choose Best, which varies them anew each time.</source>
      <translation>Auf dem Datenträger ist kein Platz für {count} veränderte Fassungen jedes Fotos ({needed_gb:.1f} GB); der Lauf lernt von den Fotos, wie sie sind. Schaffen Sie Platz oder wählen Sie „Am besten“: Damit werden sie jedes Mal neu verändert.</translation>
    </message>
    <message>
      <source>This run may need {needed_gb:.1f} GB of memory, and only {free_gb:.1f} GB are free. Close other programs, or choose a smaller batch size or network.</source>
      <translation>Dieser Lauf braucht vielleicht {needed_gb:.1f} GB Speicher, und nur {free_gb:.1f} GB sind frei. Schließen Sie andere Programme, oder wählen Sie weniger Fotos je Schritt oder ein kleineres Netz.</translation>
    </message>
    <message>
      <source>The disk may become full: the run writes up to {needed_mb:,.0f} MB to {path}, and {free_mb:,.0f} MB are free. Make room meanwhile, or choose a place on another disk (for runs, CATDOG_HOME names one).</source>
      <translation>Der Datenträger kann voll werden: Der Lauf schreibt bis zu {needed_mb:,.0f} MB nach {path}, und {free_mb:,.0f} MB sind frei. Schaffen Sie inzwischen Platz, oder wählen Sie einen Ort auf einem anderen Datenträger (für Läufe nennt ihn CATDOG_HOME).</translation>
    </message>
    <message>
      <source>This run may need {needed_gb:.1f} GB on {name}, and only {free_gb:.1f} GB are free there. Close what else uses the card, or choose a smaller batch size or network.</source>
      <translation>Dieser Lauf braucht vielleicht {needed_gb:.1f} GB auf {name}, und nur {free_gb:.1f} GB sind dort frei. Schließen Sie, was die Karte sonst benutzt, oder wählen Sie weniger Fotos je Schritt oder ein kleineres Netz.</translation>
    </message>
    <message>
      <source>The card waits for photos {percent} % of the time. A faster disk, more reading threads (workers) or more free memory would help.</source>
      <translation>Die Karte wartet {percent} % der Zeit auf Fotos. Eine schnellere Platte, mehr lesende Threads (workers) oder mehr freier Speicher würden helfen.</translation>
    </message>
    <message>
      <source>One of the processes that compute this run together has ended or does not answer ({reason}). What was learned until the last checkpoint is kept: go on with the run.</source>
      <translation>Einer der Prozesse, die diesen Lauf gemeinsam berechnen, ist beendet oder antwortet nicht ({reason}). Was bis zum letzten Zwischenstand gelernt wurde, bleibt: Setzen Sie den Lauf fort.</translation>
    </message>
    <message>
      <source>Nothing got better since epoch {best}, so learning ended after epoch {epoch}.</source>
      <translation>Seit Epoche {best} wurde nichts besser, darum endete das Lernen nach Epoche {epoch}.</translation>
    </message>
    <message>
      <source>There is no model at {path}.</source>
      <translation>Unter {path} gibt es kein Modell.</translation>
    </message>
    <message>
      <source>{path} is not a model of this program, so it was not opened.</source>
      <translation>{path} ist kein Modell dieses Programms und wurde darum nicht geöffnet.</translation>
    </message>
    <message>
      <source>{path} is a Python pickle or checkpoint of another program. Such a file can run any command, so it was not opened. Choose a model.safetensors of this program.</source>
      <translation>{path} ist ein Python-Pickle oder ein Checkpoint eines anderen Programms. So eine Datei kann jeden Befehl ausführen, darum wurde sie nicht geöffnet. Wählen Sie eine model.safetensors dieses Programms.</translation>
    </message>
    <message>
      <source>The model {path} is damaged or was not copied whole. Copy it again, train again, or open another run's model.</source>
      <translation>Das Modell {path} ist beschädigt oder wurde nicht ganz kopiert. Kopieren Sie es noch einmal, trainieren Sie neu, oder öffnen Sie das Modell eines anderen Laufs.</translation>
    </message>
    <message>
      <source>The model {path} was made by a newer version of this program ({program}). Update to open it.</source>
      <translation>Das Modell {path} stammt aus einer neueren Version dieses Programms ({program}). Aktualisieren Sie, um es zu öffnen.</translation>
    </message>
    <message>
      <source>The model {path} uses the network “{network}”, which this version of the program ({version}) does not know. Open it with the program that made it, or update this one.</source>
      <translation>Das Modell {path} nutzt das Netz „{network}“, das diese Version des Programms ({version}) nicht kennt. Öffnen Sie es mit dem Programm, das es erzeugt hat, oder aktualisieren Sie dieses.</translation>
    </message>
    <message>
      <source>{path} is a folder. `catdog explain` needs the file of one photo.</source>
      <translation>{path} ist ein Ordner. `catdog explain` braucht die Datei eines Fotos.</translation>
    </message>
    <message>
      <source>This model does not know which photos it learned from: an older version of this program made it. Train again to see them.</source>
      <translation>Dieses Modell weiß nicht, von welchen Fotos es gelernt hat: Eine ältere Version dieses Programms hat es erstellt. Trainieren Sie erneut, um sie zu sehen.</translation>
    </message>
    <message>
      <source>The run that made this model is not on this computer, so its photos cannot be shown.</source>
      <translation>Der Lauf, aus dem dieses Modell stammt, ist nicht auf diesem Rechner, deshalb können seine Fotos nicht gezeigt werden.</translation>
    </message>
    <message>
      <source>Some of these photos are not where they were when the run was made.</source>
      <translation>Einige dieser Fotos liegen nicht mehr dort, wo sie beim Training lagen.</translation>
    </message>
    <message>
      <source>This model does not know how it did on its checked photos: an older version of this program made it, or its run was stopped early. Train again to choose how careful it is.</source>
      <translation>Dieses Modell weiß nicht, wie es bei seinen Prüffotos abgeschnitten hat: Eine ältere Version dieses Programms hat es erstellt, oder der Lauf wurde früh gestoppt. Trainieren Sie erneut, um die Vorsicht zu wählen.</translation>
    </message>
    <message>
      <source>This is the check photo of “{label}” that was answered “{answer}”.</source>
      <translation>Das ist das Prüffoto von „{label}“, das mit „{answer}“ beantwortet wurde.</translation>
    </message>
    <message>
      <source>These are the {count:,} check photos of “{label}” that were answered “{answer}”.</source>
      <translation>Das sind die {count:,} Prüffotos von „{label}“, die mit „{answer}“ beantwortet wurden.</translation>
    </message>
    <message>
      <source>This is the one check photo that was answered wrongly.</source>
      <translation>Das ist das eine Prüffoto, das falsch beantwortet wurde.</translation>
    </message>
    <message>
      <source>These are the {count:,} check photos that were answered wrongly.</source>
      <translation>Das sind die {count:,} Prüffotos, die falsch beantwortet wurden.</translation>
    </message>
    <message>
      <source>This model does not tell which photos these are: it is from an older version, or was never checked. Train again.</source>
      <translation>Dieses Modell sagt nicht, welche Fotos das sind: Es stammt von einer älteren Fassung oder wurde nie geprüft. Trainieren Sie noch einmal.</translation>
    </message>
    <message>
      <source>This run's photos are not where they were, so they cannot be tried again.</source>
      <translation>Die Fotos dieses Laufs liegen nicht mehr dort, wo sie lagen, deshalb lassen sie sich nicht noch einmal prüfen.</translation>
    </message>
    <message>
      <source>The photo looks turned, tiny, dark, blurred or otherwise poor to the model. It is wrong more often about such photos, so it is not sure.</source>
      <translation>Das Foto wirkt auf das Modell gedreht, winzig, dunkel, unscharf oder auf andere Weise schlecht. Bei solchen Fotos irrt es sich öfter, deshalb ist es nicht sicher.</translation>
    </message>
    <message>
      <source>That is no RGB picture: its shape is {shape}, its type {kind}.</source>
      <translation>Das ist kein RGB-Bild: Seine Form ist {shape}, sein Typ {kind}.</translation>
    </message>
    <message>
      <source>No photo was found in what was given.</source>
      <translation>In dem, was gegeben wurde, war kein Foto.</translation>
    </message>
    <message>
      <source>Another window of this program is answering these photos now.</source>
      <translation>Ein anderes Fenster dieses Programms beantwortet diese Fotos gerade.</translation>
    </message>
    <message>
      <source>The model that answered so far has changed or is gone, so the rest was not answered. Drop the folder again to ask the present model about all of it.</source>
      <translation>Das Modell, das bisher geantwortet hat, wurde verändert oder ist weg; der Rest blieb darum unbeantwortet. Legen Sie den Ordner noch einmal ab, um das jetzige Modell nach allen Fotos zu fragen.</translation>
    </message>
    <message>
      <source>The answers are not noted down ({reason}): after a restart of the program this job would begin anew.</source>
      <translation>Die Antworten werden nicht festgehalten ({reason}): Nach einem Neustart des Programms finge diese Arbeit von vorn an.</translation>
    </message>
    <message>
      <source>“{path}” lies in a folder of photos that a model learned from, and those are only read. Choose another.</source>
      <translation>„{path}“ liegt in einem Ordner mit Fotos, von denen ein Modell gelernt hat; die werden nur gelesen. Wählen Sie einen anderen.</translation>
    </message>
    <message>
      <source>{path} is one of the photos that a model learned from. They are only read, so it was not moved; copying works.</source>
      <translation>{path} ist eines der Fotos, von denen ein Modell gelernt hat. Sie werden nur gelesen, darum wurde es nicht verschoben; kopieren geht.</translation>
    </message>
    <message>
      <source>{path} is a link to a photo elsewhere, so it was not moved; copying works.</source>
      <translation>{path} ist ein Verweis auf ein Foto anderswo und wurde darum nicht verschoben; kopieren geht.</translation>
    </message>
    <message>
      <source>{path} could not be moved ({reason}). It is where it was.</source>
      <translation>{path} ließ sich nicht verschieben ({reason}). Es ist, wo es war.</translation>
    </message>
    <message>
      <source>The photo is not there any more: it was moved, renamed or deleted after the move.</source>
      <translation>Das Foto ist nicht mehr da: Es wurde nach dem Verschieben bewegt, umbenannt oder gelöscht.</translation>
    </message>
    <message>
      <source>Another file is at the old place {path}, so it was left where it is.</source>
      <translation>Am alten Ort {path} liegt eine andere Datei, darum blieb es, wo es ist.</translation>
    </message>
    <message>
      <source>The file was changed after the move, so it was left where it is.</source>
      <translation>Die Datei wurde nach dem Verschieben verändert, darum blieb sie, wo sie ist.</translation>
    </message>
    <message>
      <source>{count} photo could not be put into its folder: {reason}</source>
      <translation>{count} Foto kam nicht in seinen Ordner: {reason}</translation>
    </message>
    <message>
      <source>{count} photos could not be put into their folders. The first one: {reason}</source>
      <translation>{count} Fotos kamen nicht in ihre Ordner. Das erste: {reason}</translation>
    </message>
    <message>
      <source>--move needs --sort-into DIR: the folder to move the photos into.</source>
      <translation>--move braucht --sort-into DIR: den Ordner, in den die Fotos verschoben werden.</translation>
    </message>
    <message>
      <source>Another program is moving these photos now. Wait until it has finished, then try again.</source>
      <translation>Ein anderes Programm verschiebt diese Fotos gerade. Warten Sie, bis es fertig ist, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
      <source>{path} is a file. Name a folder to sort into; it is made where it is missing.</source>
      <translation>{path} ist eine Datei. Nennen Sie einen Ordner, in den sortiert wird; er wird angelegt, wo er fehlt.</translation>
    </message>
    <message>
      <source>There are no moves that could be undone.</source>
      <translation>Es gibt keine Verschiebung, die sich rückgängig machen ließe.</translation>
    </message>
    <message>
      <source>{path} is no list of moves of this program, so nothing was undone. Leave it out to undo the last move.</source>
      <translation>{path} ist keine Liste von Verschiebungen dieses Programms, deshalb wurde nichts rückgängig gemacht. Lassen Sie die Angabe weg, um die letzte Verschiebung rückgängig zu machen.</translation>
    </message>
    <message>
      <source>The model knows {known}; the folder has {found}. They have no class in common.</source>
      <translation>Das Modell kennt {known}; der Ordner hat {found}. Sie haben keine Klasse gemeinsam.</translation>
    </message>
    <message>
      <source>Not scored, since the model does not know them: {unknown}.</source>
      <translation>Nicht bewertet, weil das Modell sie nicht kennt: {unknown}.</translation>
    </message>
    <message>
      <source>Exporting needs {names}, which the program does without. Install with: {command}</source>
      <translation>Zum Exportieren fehlt {names}; das Programm selbst braucht das nicht. Installieren mit: {command}</translation>
    </message>
    <message>
      <source>{path} is already there and was left as it is. Choose another name, or use --force.</source>
      <translation>{path} gibt es schon; die Datei blieb, wie sie ist. Wählen Sie einen anderen Namen oder nehmen Sie --force.</translation>
    </message>
    <message>
      <source>Two outputs would be written to {path}. Name another file for one of them.</source>
      <translation>Zwei Ausgaben würden nach {path} geschrieben. Nennen Sie für eine davon eine andere Datei.</translation>
    </message>
    <message>
      <source>{path} is a folder. Name a file, such as {example}.</source>
      <translation>{path} ist ein Ordner. Nennen Sie eine Datei, zum Beispiel {example}.</translation>
    </message>
    <message>
      <source>There is no folder {path}. Make it, or choose another place.</source>
      <translation>Den Ordner {path} gibt es nicht. Legen Sie ihn an oder wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
      <source>The network {network} of this model cannot be written as ONNX ({reason}).</source>
      <translation>Das Netz {network} dieses Modells lässt sich nicht als ONNX schreiben ({reason}).</translation>
    </message>
    <message>
      <source>ONNX Runtime cannot use what was written for {network} ({reason}), so it was removed. Please report it.</source>
      <translation>ONNX Runtime kann mit dem, was für {network} geschrieben wurde, nichts anfangen ({reason}); es wurde wieder entfernt. Bitte melde das.</translation>
    </message>
    <message>
      <source>The written file gave another answer than this program for {count} of {checked} photos (probabilities up to {difference:.4f} apart), so it was removed. Please report it, with the network: {network}.</source>
      <translation>Die geschriebene Datei antwortete bei {count} von {checked} Fotos anders als dieses Programm (Wahrscheinlichkeiten bis {difference:.4f} auseinander) und wurde wieder entfernt. Bitte melde das, mit dem Netz: {network}.</translation>
    </message>
    <message>
      <source>The written file gave other answers than this program for {count} of {checked} photos (probabilities up to {difference:.4f} apart), so it was removed. Please report it, with the network: {network}.</source>
      <translation>Die geschriebene Datei antwortete bei {count} von {checked} Fotos anders als dieses Programm (Wahrscheinlichkeiten bis {difference:.4f} auseinander) und wurde wieder entfernt. Bitte melde das, mit dem Netz: {network}.</translation>
    </message>
    <message>
      <source>With 8-bit weights only {same} of {checked} answers stayed the same, so nothing was kept. Export this model in full size.</source>
      <translation>Mit 8-Bit-Gewichten blieben nur {same} von {checked} Antworten gleich; nichts wurde behalten. Exportiere dieses Modell in voller Größe.</translation>
    </message>
    <message>
      <source>The run ended without a word, which is a fault of this program. Your photos and earlier runs are untouched. Train again; if it happens twice, copy the details into a report.</source>
      <translation>Der Lauf endete ohne ein Wort, was ein Fehler dieses Programms ist. Ihre Fotos und frühere Läufe sind unberührt. Trainieren Sie noch einmal; geschieht es wieder, kopieren Sie die Einzelheiten in eine Meldung.</translation>
    </message>
    <message>
      <source>This computer ran out of memory. Close other programs, or choose a smaller batch size under Advanced.</source>
      <translation>Diesem Computer ging der Speicher aus. Schließen Sie andere Programme, oder wählen Sie unter „Erweitert“ weniger Fotos je Schritt.</translation>
    </message>
    <message>
      <source>There is no log file yet at {path}. It is written when the window is open and its folder can be written to.</source>
      <translation>Unter {path} gibt es noch kein Protokoll. Es wird geschrieben, wenn das Fenster offen ist und sein Ordner beschreibbar ist.</translation>
    </message>
    <message>
      <source>This run is going on now. Stop it first; then it can be deleted.</source>
      <translation>Dieser Lauf ist gerade im Gang. Beenden Sie ihn erst; dann lässt er sich löschen.</translation>
    </message>
    <message>
      <source>A run is going on. Stop it first, or wait until it is done.</source>
      <translation>Ein Lauf ist im Gang. Halten Sie ihn zuerst an, oder warten Sie, bis er fertig ist.</translation>
    </message>
    <message>
      <source>This run has no end: the program was closed or the computer was switched off. Its best model up to then is kept.</source>
      <translation>Dieser Lauf hat kein Ende: Das Programm wurde geschlossen oder der Computer ausgeschaltet. Sein bis dahin bestes Modell ist da.</translation>
    </message>
    <message>
      <source>Another program is writing this run now. What it has done so far is shown.</source>
      <translation>Ein anderes Programm schreibt gerade diesen Lauf. Gezeigt wird, was er bis jetzt getan hat.</translation>
    </message>
    <message>
      <source>That is a web address, and this program fetches nothing. Save the photos into a folder, then drop the folder.</source>
      <translation>Das ist eine Internetadresse, und dieses Programm lädt nichts. Speichern Sie die Fotos in einen Ordner, und ziehen Sie den Ordner hierher.</translation>
    </message>
    <message>
      <source>There is no folder in that. Drop a folder with one sub-folder per class.</source>
      <translation>Darin ist kein Ordner. Ziehen Sie einen Ordner mit einem Unterordner je Klasse hierher.</translation>
    </message>
    <message>
      <source>These answers are the last model's.</source>
      <translation>Diese Antworten sind vom vorigen Modell.</translation>
    </message>
    <message>
      <source>These answers are the last model's. Drop the photos again to ask this one.</source>
      <translation>Diese Antworten sind die des letzten Modells. Ziehen Sie die Fotos noch einmal hierher, um dieses zu fragen.</translation>
    </message>
    <message>
      <source>There is no model to ask yet. Train one, or open a model.</source>
      <translation>Es gibt noch kein Modell, das antworten könnte. Trainieren Sie eins, oder öffnen Sie ein Modell.</translation>
    </message>
  </context>
  <context>
    <name>presets</name>
    <message>
      <source>Fast</source>
      <translation>Schnell</translation>
    </message>
    <message>
      <source>Ready in seconds, and good for most photos.</source>
      <translation>In Sekunden fertig und gut für die meisten Fotos.</translation>
    </message>
    <message>
      <source>Balanced</source>
      <translation>Ausgewogen</translation>
    </message>
    <message>
      <source>Takes minutes and learns finer differences.</source>
      <translation>Braucht Minuten und lernt feinere Unterschiede.</translation>
    </message>
    <message>
      <source>Best</source>
      <translation>Am besten</translation>
    </message>
    <message>
      <source>Takes longest: learns from photos that are varied again and again.</source>
      <translation>Dauert am längsten: lernt an Fotos, die immer wieder verändert werden.</translation>
    </message>
    <message>
      <source>The article's recipe</source>
      <translation>Rezept des Artikels</translation>
    </message>
    <message>
      <source>A small network that starts from nothing. For comparing.</source>
      <translation>Ein kleines Netz, das bei null anfängt. Zum Vergleichen.</translation>
    </message>
  </context>
  <context>
    <name>settings</name>
    <message>
      <source>Epochs</source>
      <translation>Epochen</translation>
    </message>
    <message>
      <source>Batch size</source>
      <translation>Fotos je Schritt</translation>
    </message>
    <message>
      <source>Image size</source>
      <translation>Bildgröße</translation>
    </message>
    <message>
      <source>Network</source>
      <translation>Netz</translation>
    </message>
    <message>
      <source>Pretrained</source>
      <translation>Vortrainiert</translation>
    </message>
    <message>
      <source>Part that learns</source>
      <translation>Was lernt</translation>
    </message>
    <message>
      <source>Squares</source>
      <translation>Quadrate</translation>
    </message>
    <message>
      <source>Vary photos</source>
      <translation>Fotos abwandeln</translation>
    </message>
    <message>
      <source>Stored variations</source>
      <translation>Gespeicherte Fassungen</translation>
    </message>
    <message>
      <source>Precision</source>
      <translation>Zahlenformat</translation>
    </message>
    <message>
      <source>Optimizer</source>
      <translation>Optimierer</translation>
    </message>
    <message>
      <source>Learning rate</source>
      <translation>Lernrate</translation>
    </message>
    <message>
      <source>Weight decay</source>
      <translation>Gewichtsabnahme</translation>
    </message>
    <message>
      <source>Warm-up</source>
      <translation>Aufwärmen</translation>
    </message>
    <message>
      <source>Schedule</source>
      <translation>Verlauf</translation>
    </message>
    <message>
      <source>Label smoothing</source>
      <translation>Label-Glättung</translation>
    </message>
    <message>
      <source>Patience</source>
      <translation>Geduld</translation>
    </message>
    <message>
      <source>Check folder</source>
      <translation>Prüfordner</translation>
    </message>
    <message>
      <source>Check share</source>
      <translation>Prüfanteil</translation>
    </message>
    <message>
      <source>Reading threads</source>
      <translation>Lese-Threads</translation>
    </message>
    <message>
      <source>Pin memory</source>
      <translation>Fester Speicher</translation>
    </message>
    <message>
      <source>Parts of a step</source>
      <translation>Teile je Schritt</translation>
    </message>
    <message>
      <source>Checkpointing</source>
      <translation>Checkpointing</translation>
    </message>
    <message>
      <source>Empty cache every</source>
      <translation>Cache leeren alle</translation>
    </message>
    <message>
      <source>If the disk is full</source>
      <translation>Wenn die Platte voll ist</translation>
    </message>
    <message>
      <source>Seed</source>
      <translation>Startwert</translation>
    </message>
    <message>
      <source>Folder with one sub-folder per class.</source>
      <translation>Ordner mit einem Unterordner je Klasse.</translation>
    </message>
    <message>
      <source>How much work to put in.</source>
      <translation>Wie viel Arbeit hineingesteckt wird.</translation>
    </message>
    <message>
      <source>Where to compute: auto, cpu, cuda, cuda:N, mps, or all (every card of this computer).</source>
      <translation>Wo gerechnet wird: auto, cpu, cuda, cuda:N, mps oder all (jede Karte dieses Computers).</translation>
    </message>
    <message>
      <source>Passes over the training photos.</source>
      <translation>Durchgänge durch die Lernfotos.</translation>
    </message>
    <message>
      <source>Photos in one step.</source>
      <translation>Fotos in einem Schritt.</translation>
    </message>
    <message>
      <source>Side of the square the network sees.</source>
      <translation>Seite des Quadrats, das das Netz sieht.</translation>
    </message>
    <message>
      <source>Network.</source>
      <translation>Netz.</translation>
    </message>
    <message>
      <source>Start from weights learned on ImageNet.</source>
      <translation>Mit Gewichten anfangen, die an ImageNet gelernt wurden.</translation>
    </message>
    <message>
      <source>Which part learns: the last layer, the upper stages, or all.</source>
      <translation>Was lernt: die letzte Schicht, die oberen Stufen oder alles.</translation>
    </message>
    <message>
      <source>How a photo becomes a square: cropped, or squashed.</source>
      <translation>Wie ein Foto zum Quadrat wird: beschnitten oder gestaucht.</translation>
    </message>
    <message>
      <source>Vary the photos while learning (mirror, turn, zoom, light).</source>
      <translation>Die Fotos beim Lernen verändern (spiegeln, drehen, zoomen, Licht).</translation>
    </message>
    <message>
      <source>Varied versions of each photo that the upper stages learn from too, computed once.</source>
      <translation>Veränderte Fassungen jedes Fotos, von denen die oberen Stufen auch lernen, einmal berechnet.</translation>
    </message>
    <message>
      <source>Number format while computing.</source>
      <translation>Zahlenformat beim Rechnen.</translation>
    </message>
    <message>
      <source>Optimizer.</source>
      <translation>Optimierer.</translation>
    </message>
    <message>
      <source>Largest learning rate.</source>
      <translation>Größte Lernrate.</translation>
    </message>
    <message>
      <source>Weight decay.</source>
      <translation>Gewichtsabnahme.</translation>
    </message>
    <message>
      <source>Share of all steps in which the learning rate rises.</source>
      <translation>Anteil aller Schritte, in denen die Lernrate steigt.</translation>
    </message>
    <message>
      <source>How the learning rate falls.</source>
      <translation>Wie die Lernrate fällt.</translation>
    </message>
    <message>
      <source>Label smoothing.</source>
      <translation>Label-Glättung.</translation>
    </message>
    <message>
      <source>Stop after this many epochs without a better one; 0 = never.</source>
      <translation>Nach so vielen Epochen ohne eine bessere aufhören; 0 = nie.</translation>
    </message>
    <message>
      <source>Folder with the photos to check with, one sub-folder per class.</source>
      <translation>Ordner mit den Prüffotos, ein Unterordner je Klasse.</translation>
    </message>
    <message>
      <source>Share of the photos kept back for checking.</source>
      <translation>Anteil der Fotos, die zum Prüfen zurückgehalten werden.</translation>
    </message>
    <message>
      <source>Use train and validation folders as the split where the dataset has them.</source>
      <translation>Ordner zum Lernen und Prüfen als Aufteilung nehmen, wo es sie gibt.</translation>
    </message>
    <message>
      <source>Threads that read photos; 0 = as many as there are cores.</source>
      <translation>Threads, die Fotos lesen; 0 = so viele wie Kerne.</translation>
    </message>
    <message>
      <source>Page-locked memory for copies to a card.</source>
      <translation>Fester Speicher für Kopien auf eine Karte.</translation>
    </message>
    <message>
      <source>Parts in which one step is computed, to save memory.</source>
      <translation>Teile, in denen ein Schritt berechnet wird, um Speicher zu sparen.</translation>
    </message>
    <message>
      <source>Compute activations twice to save memory.</source>
      <translation>Aktivierungen zweimal berechnen, um Speicher zu sparen.</translation>
    </message>
    <message>
      <source>Free the card's cache every N steps; 0 = never.</source>
      <translation>Den Cache der Karte alle N Schritte leeren; 0 = nie.</translation>
    </message>
    <message>
      <source>When the disk is full while learning: go on and try again later, or stop.</source>
      <translation>Wenn die Platte beim Lernen voll ist: weitermachen und später noch einmal versuchen, oder anhalten.</translation>
    </message>
    <message>
      <source>Seed of every random choice.</source>
      <translation>Startwert aller Zufallsentscheidungen.</translation>
    </message>
    <message>
      <source>Run folder to make; must be empty or absent.</source>
      <translation>Ordner für den Lauf; muss leer sein oder fehlen.</translation>
    </message>
  </context>
  <context>
    <name>text</name>
    <message>
      <source>The best epoch is the one with the smallest log loss on the check photos, once calibrated: it counts how sure each answer is, not only whether it is right.</source>
      <translation>Die beste Epoche ist die mit dem kleinsten Log-Verlust auf den Prüffotos nach der Kalibrierung: Er zählt, wie sicher jede Antwort ist, nicht nur, ob sie stimmt.</translation>
    </message>
    <message>
      <source>today {time}</source>
      <translation>heute {time}</translation>
    </message>
    <message>
      <source>yesterday {time}</source>
      <translation>gestern {time}</translation>
    </message>
    <message>
      <source>{n} s</source>
      <translation>{n} s</translation>
    </message>
    <message>
      <source>{n} min</source>
      <translation>{n} min</translation>
    </message>
    <message>
      <source>{n} h</source>
      <translation>{n} h</translation>
    </message>
    <message>
      <source>{count} others</source>
      <translation>{count} weitere</translation>
    </message>
  </context>
</TS>
